import { openSocket } from './socket';
import type { OpenTransport } from './transport';

let chosen: OpenTransport = openSocket;

/** Chooses the way to the games, before the page is rendered. */
export function chooseTransport(open: OpenTransport): void {
  chosen = open;
}

/** Opens the chosen way to the games: the WebSocket of the server, if no other was chosen. */
export const openTransport: OpenTransport = (listener) => chosen(listener);
