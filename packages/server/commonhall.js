#!/usr/bin/env node
// Starts src/main.ts, or says plainly that Node is too old, which would not even load it.
const oldest = 24;
if (Number(process.versions.node.split('.')[0]) >= oldest) await import('./src/main.ts');
else {
  process.stderr.write(
    `commonhall needs Node ${oldest} or newer and this is ${process.version}: install a newer Node\n`,
  );
  process.exitCode = 1;
}
