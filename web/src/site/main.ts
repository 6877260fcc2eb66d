// The page without a server: a worker answers, and a service worker keeps the files.
import './choose-worker';
import '../main';
import { registerServiceWorker } from './updates';

registerServiceWorker();
