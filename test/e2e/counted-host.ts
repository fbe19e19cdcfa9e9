import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CountedHost {
  readonly ip: string;
  readonly port: number;
  /** Connections that were opened to it, and bytes that came over them. */
  readonly connections: () => number;
  readonly bytes: () => number;
  close(): Promise<void>;
}

/** Stands before a server on this machine and counts what reaches it, down to a connection that says nothing. */
export async function countBefore(target: { readonly ip: string; readonly port: number }): Promise<CountedHost> {
  let [connections, bytes] = [0, 0];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    const behind = connect(target.port, target.ip);
    for (const each of [socket, behind]) {
      open.add(each);
      each.on("error", () => undefined).on("close", () => open.delete(each));
    }
    socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ip: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    bytes: () => bytes,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
