import type { ContractRouterClient } from "@orpc/contract";
import type { router } from "#contract/router.ts";

/** Everything the page may ask of the host; the same shape over a socket, a port, or a script in tests. */
export type Client = ContractRouterClient<typeof router>;
