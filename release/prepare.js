// `npm ci` runs this last. An installation without Node 24 or without the dev dependencies must not fail: it builds
// nothing.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  const [{ buildAssets }, { buildDocument }] = await Promise.all([import('./assets.ts'), import('./document.ts')]);
  buildDocument();
  await buildAssets();
}
