// The health check of the image: exits with status 0 if the server is alive. Does not use /readyz, since an unavailable
// database is no reason to restart the server.
const response = await fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/healthz`).catch(() => null);
process.exitCode = response?.status === 200 ? 0 : 1;
