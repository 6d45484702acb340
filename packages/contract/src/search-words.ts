// The words of a search text (gap G1). The server's checks, costs and queries split it here.

/** More words in one search are an error: each one is compared with every candidate. */
export const mostSearchWords = 16;

/** The different words of `q`. */
export const searchWords = (q: string): string[] => [...new Set(q.split(/\s+/).filter((word) => word !== ''))];
