import { openSocket } from './socket';
import type { OpenTransport } from './transport';

let chosen: OpenTransport = openSocket;

/** Sets the transport of the page, before it is rendered: the page without a server has another than the socket. */
export function chooseTransport(open: OpenTransport): void {
  chosen = open;
}

/** Opens the transport that was set: the WebSocket of the server, if no other was. */
export const openTransport: OpenTransport = (listener) => chosen(listener);
