import { createReadStream, existsSync, statSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * A host of static files, as plain as there can be: no compression, no header but the type. It redirects
 * `index.html` to the folder, as some hosts do.
 */
export class StaticServer {
  private constructor(
    private readonly server: Server,
    /** The address of the folder, which is not the root of the host. */
    readonly url: string,
  ) {}

  get firstUrl(): string {
    return this.url;
  }

  /** Serves a folder under `/alfil/`. `headers` are sent with each file. */
  static async start(folder: string, headers: Record<string, string> = {}): Promise<StaticServer> {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
      if (path === '/alfil/index.html') {
        response.writeHead(308, { location: '/alfil/' }).end();
        return;
      }
      const name = normalize(path.slice('/alfil/'.length) + (path.endsWith('/') ? 'index.html' : ''));
      const file = join(folder, name);
      if (!path.startsWith('/alfil/') || name.startsWith('..') || !existsSync(file) || !statSync(file).isFile()) {
        response.writeHead(404).end('not found');
        return;
      }
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers });
      createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (!address || typeof address === 'string') throw new Error('the host has no port');
    return new StaticServer(server, `http://127.0.0.1:${address.port}/alfil/`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
