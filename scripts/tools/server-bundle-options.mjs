import { readFileSync } from 'node:fs'
import { projectPath } from './paths.mjs'

/**
 * The packages that every start loads. Bundling them saves two fifths of the processor time of a start: Node would find,
 * read and link more than 400 small files. All other packages load on first use, or contain native code.
 */
const bundledPackages = [
  '@bufbuild/protobuf',
  '@fastify/compress',
  '@fastify/cors',
  '@fastify/formbody',
  '@fastify/rate-limit',
  '@fastify/static',
  'fastify',
  'fastify-type-provider-zod',
  'helmet',
  'ipaddr.js',
  'jose',
  'kysely',
  'lru-cache',
  'pino',
  'ws',
  'zod',
]

/** @type {{ dependencies: Record<string, string>, optionalDependencies: Record<string, string> }} */
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(projectPath('server', 'package.json'), 'utf8'))

const externalPackages = [
  ...Object.keys({ ...dependencies, ...optionalDependencies }).filter(
    (name) => !bundledPackages.includes(name) && name !== '@trunkline/contract',
  ),
  // Fastify's defaults for validation and serialization, which zod replaces, and for test requests: never loaded.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
]

/** Defines what CommonJS packages expect, because the bundle is an ES module. */
const commonJsGlobals = `
import { createRequire as bundleCreateRequire } from 'node:module';
const require = bundleCreateRequire(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;
`.trim()

/**
 * Resolves the contract to its TypeScript sources, which Node cannot run, so that they are bundled.
 * @type {import('esbuild').Plugin}
 */
const bundleContract = {
  name: 'bundle-contract',
  setup(bundler) {
    bundler.onResolve({ filter: /^@trunkline\/contract\// }, ({ path }) => {
      const modulePath = path.slice('@trunkline/contract/'.length)
      return { path: projectPath('contract', 'src', `${modulePath}.ts`) }
    })
  },
}

/**
 * Omits the list of all content types. Only `@fastify/compress` reads it, for types that `compressibleTypes` in
 * server/src/composition/app.ts does not match.
 * @type {import('esbuild').Plugin}
 */
const omitContentTypes = {
  name: 'omit-content-types',
  setup(bundler) {
    bundler.onLoad({ filter: /[/\\]mime-db[/\\]index\.js$/ }, () => ({ contents: 'module.exports = {}' }))
  },
}

/**
 * How the server is bundled. Add the entry points and where the result goes.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const serverBundleOptions = {
  bundle: true,
  platform: /** @type {const} */ ('node'),
  format: /** @type {const} */ ('esm'),
  target: 'node20',
  external: externalPackages.flatMap((name) => [name, `${name}/*`]),
  alias: {
    // a copy of Node's streams for old versions of Node
    'readable-stream': 'node:stream',
    // `@fastify/static` finds the files for routes that we add ourselves.
    glob: 'node:fs',
  },
  // The ESM build of a package supports tree shaking.
  mainFields: ['module', 'main'],
  banner: { js: commonJsGlobals },
  plugins: [bundleContract, omitContentTypes],
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: /** @type {const} */ ('warning'),
}
