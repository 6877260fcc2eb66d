import { chooseTransport } from '../transport-choice';
import { openWorker } from './worker-transport';

chooseTransport(openWorker);
