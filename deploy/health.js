// The health check of the image: exit status 0 when the server is alive. Not /readyz: a database that is away is no reason to
// restart the server.
const response = await fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/healthz`).catch(() => null);
process.exitCode = response?.status === 200 ? 0 : 1;
