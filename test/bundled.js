// Loaded into every Node process of a test run. Resolves packages that consist of hundreds of small modules to bundles
// that test/run.ts makes once: reading their modules one by one is a third of the start of a server. Only for sources of
// this repository: a package that a test installs elsewhere reads its own. JavaScript, because older Nodes load it too.
import module from 'node:module';

/** The URL of each bundle by the name of its package. */
const bundles = JSON.parse(process.env.COMMONHALL_TEST_BUNDLES ?? '{}');
const ours = new URL('../packages/', import.meta.url).href;
const isOurs = (from = '') => from.startsWith(ours) && !from.includes('/node_modules/');

module.registerHooks?.({
  resolve: (name, context, next) =>
    Object.hasOwn(bundles, name) && isOurs(context.parentURL)
      ? { url: bundles[name], format: 'module', shortCircuit: true }
      : next(name, context),
});
