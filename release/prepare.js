// What `npm ci` runs at its end. An installation for production may have neither Node 24 nor the dev dependencies yet:
// then nothing is built, and installing does not fail.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  const { buildAssets } = await import('./assets.ts');
  await buildAssets();
}
