/**
 * The import rules between folders. Every folder is an element, and imports that are not listed here are forbidden, so
 * a new folder fails the lint until it has rules. `CONTRIBUTING.md` gives the reasons.
 */

const filesIn = (/** @type {string} */ folder) => `${folder}/**/*`

/** The first matching pattern wins. */
export const elements = [
  { type: 'contract-kit', pattern: filesIn('contract/src/kit') },
  { type: 'contract-messages', pattern: filesIn('contract/src/messages') },
  { type: 'contract-policy', pattern: filesIn('contract/src/policy') },
  // Pure functions. They may import only files of the same subject folder.
  {
    type: 'contract-rules',
    pattern: 'contract/src/{session,speech,telephony,billing,calls}/**/*',
    capture: ['subject'],
  },
  // Facts about third-party clouds that several subjects share.
  { type: 'contract-cloud', pattern: filesIn('contract/src/cloud') },
  { type: 'contract-shapes', pattern: filesIn('contract/src/shapes') },
  { type: 'contract-resources', pattern: filesIn('contract/src/resources') },
  { type: 'contract-feature-flags', pattern: 'contract/src/feature-flags.ts' },
  { type: 'contract-test', pattern: filesIn('contract/test') },

  { type: 'server-main', pattern: 'server/src/{main,doctor,move-calls}.ts' },
  { type: 'server-stack-traces', pattern: 'server/src/stack-traces.ts' },
  // The type of all services, from which routes pick what they need.
  { type: 'server-services', pattern: 'server/src/composition/services.ts' },
  { type: 'server-composition', pattern: filesIn('server/src/composition') },
  // The checks of `npm run doctor`. They reach everything that the server reaches.
  { type: 'server-doctor', pattern: filesIn('server/src/doctor') },
  { type: 'server-config', pattern: filesIn('server/src/config') },
  { type: 'server-http', pattern: filesIn('server/src/http') },
  { type: 'server-db', pattern: filesIn('server/src/db') },
  // What Prometheus reads. Knows nothing of the product: composition adds the readings of services.
  { type: 'server-metrics', pattern: filesIn('server/src/metrics') },
  // Spans of this server for an OpenTelemetry collector. Knows nothing of the product either.
  { type: 'server-telemetry', pattern: filesIn('server/src/telemetry') },
  { type: 'server-ports', pattern: filesIn('server/src/ports') },
  { type: 'server-adapters', pattern: filesIn('server/src/adapters') },
  { type: 'server-ingest', pattern: filesIn('server/src/ingest') },
  // Cryptography and identifiers: stateless functions that other elements may import and that import none.
  { type: 'server-secrets', pattern: filesIn('server/src/secrets') },
  { type: 'server-jobs', pattern: filesIn('server/src/jobs') },
  // Users, API keys and sessions: resolves a token to its actor, and limits failed password attempts.
  { type: 'server-auth', pattern: filesIn('server/src/auth') },
  // Code without routes that several resources share: quotas, the handlers of SIP and SMPP gateways, mail to users.
  { type: 'server-shared', pattern: filesIn('server/src/shared') },
  // The only file of a resource that other resources may import.
  { type: 'server-public', pattern: 'server/src/resources/*/public.ts', capture: ['resource'] },
  { type: 'server-resource', pattern: 'server/src/resources/*/**/*', capture: ['resource'] },
  // Real third-party servers, for the tests of both workspaces and for end-to-end tests.
  { type: 'server-external', pattern: filesIn('server/test/external') },
  { type: 'server-test', pattern: filesIn('server/test') },

  { type: 'console-main', pattern: 'console/src/main.tsx' },
  { type: 'console-app', pattern: filesIn('console/src/app') },
  { type: 'console-feature', pattern: 'console/src/features/*/**/*', capture: ['feature'] },
  // Domain panels that several screens use: API keys, limits, passwords.
  { type: 'console-panels', pattern: filesIn('console/src/panels') },
  { type: 'console-kit', pattern: filesIn('console/src/kit') },
  { type: 'console-fields', pattern: filesIn('console/src/fields') },
  { type: 'console-ui', pattern: filesIn('console/src/ui') },
  { type: 'console-theme', pattern: filesIn('console/src/theme') },
  { type: 'console-session', pattern: filesIn('console/src/session') },
  { type: 'console-lib', pattern: filesIn('console/src/lib') },
  { type: 'console-test', pattern: filesIn('console/test') },

  // Starts a built server, signs in and adds sample records: for e2e, demo, bench and prove.
  { type: 'launch', pattern: filesIn('scripts/launch') },
  { type: 'e2e', pattern: filesIn('e2e') },
].map((element) => ({ mode: 'full', ...element }))

const typesWithPrefix = (/** @type {string} */ prefix) =>
  elements.map(({ type }) => type).filter((type) => type.startsWith(prefix))
const contract = typesWithPrefix('contract-').filter((type) => type !== 'contract-test')
const serverParts = typesWithPrefix('server-').filter(
  (type) => !['server-main', 'server-composition', 'server-adapters', 'server-test', 'server-external'].includes(type),
)
const consoleParts = typesWithPrefix('console-').filter((type) => type !== 'console-test')

const sameResource = ['server-resource', { resource: '${from.resource}' }]
const sameFeature = ['console-feature', { feature: '${from.feature}' }]

/** @type {{ from: unknown, allow: unknown, importKind?: string }[]} */
const rules = [
  { from: 'contract-kit', allow: ['contract-kit'] },
  { from: 'contract-kit', allow: ['contract-policy', 'contract-shapes'], importKind: 'type' },
  { from: 'contract-messages', allow: ['contract-messages', 'contract-kit'] },
  { from: 'contract-policy', allow: ['contract-policy', 'contract-kit', 'contract-messages'] },
  { from: 'contract-cloud', allow: ['contract-kit', 'contract-messages'] },
  {
    from: 'contract-rules',
    allow: ['contract-kit', 'contract-messages', 'contract-cloud', ['contract-rules', { subject: '${from.subject}' }]],
  },
  {
    from: 'contract-shapes',
    allow: ['contract-shapes', 'contract-kit', 'contract-messages', 'contract-cloud', 'contract-rules'],
  },
  { from: 'contract-shapes', allow: ['contract-policy'], importKind: 'type' },
  { from: 'contract-resources', allow: ['contract-resources', 'contract-kit', 'contract-messages', 'contract-rules'] },
  { from: 'contract-resources', allow: ['contract-policy', 'contract-shapes'], importKind: 'type' },
  { from: 'contract-feature-flags', allow: ['contract-kit', 'contract-messages'] },
  { from: 'contract-test', allow: [...contract, 'contract-test'] },

  // Only composition chooses adapters.
  {
    from: ['server-composition', 'server-services'],
    allow: [...serverParts, 'server-composition', 'server-adapters', ...contract],
  },
  { from: 'server-main', allow: [...serverParts, 'server-composition', ...contract] },
  { from: 'server-doctor', allow: [...serverParts, 'server-composition', 'server-adapters', ...contract] },
  // Resources import only the type of the services, to pick from it.
  { from: ['server-resource', 'server-public'], allow: ['server-services'], importKind: 'type' },
  { from: 'server-jobs', allow: ['server-jobs', 'server-ports', ...contract] },
  { from: 'server-config', allow: ['server-config', ...contract] },
  { from: 'server-secrets', allow: ['server-secrets'] },
  { from: 'server-metrics', allow: ['server-metrics'] },
  { from: 'server-telemetry', allow: ['server-telemetry'] },
  { from: 'server-telemetry', allow: ['server-config', 'server-db'], importKind: 'type' },
  // Error handling and the shared repository code apply to all resources, so they need the database's errors and table
  // types.
  { from: 'server-http', allow: ['server-http', 'server-ports', 'server-db', 'server-secrets', ...contract] },
  { from: 'server-db', allow: ['server-db', 'server-secrets', ...contract] },
  { from: 'server-ports', allow: ['server-ports', ...contract] },
  { from: 'server-adapters', allow: ['server-adapters', 'server-ports', 'server-db', 'server-secrets', ...contract] },
  { from: 'server-ingest', allow: ['server-ingest', 'server-ports', 'server-http', 'server-secrets', ...contract] },
  { from: 'server-auth', allow: ['server-auth', 'server-db', 'server-secrets', ...contract] },
  { from: 'server-shared', allow: ['server-shared', 'server-http', 'server-db', 'server-ports', ...contract] },
  {
    from: ['server-resource', 'server-public'],
    allow: [
      sameResource,
      'server-public',
      'server-shared',
      'server-http',
      'server-db',
      'server-ports',
      'server-secrets',
      ...contract,
    ],
  },
  // Doubles that tests, end-to-end tests and the demo share are in `launch`.
  { from: 'server-test', allow: [...typesWithPrefix('server-'), ...contract, 'launch'] },
  { from: 'server-external', allow: ['server-external'] },

  { from: ['console-main', 'console-app'], allow: [...consoleParts, ...contract] },
  {
    from: 'console-feature',
    allow: [
      sameFeature,
      'console-panels',
      'console-kit',
      'console-fields',
      'console-ui',
      'console-session',
      'console-lib',
      ...contract,
    ],
  },
  {
    from: 'console-panels',
    allow: [
      'console-panels',
      'console-kit',
      'console-fields',
      'console-ui',
      'console-session',
      'console-lib',
      ...contract,
    ],
  },
  {
    from: 'console-kit',
    allow: ['console-kit', 'console-fields', 'console-ui', 'console-session', 'console-lib', ...contract],
  },
  { from: 'console-fields', allow: ['console-fields', 'console-ui', 'console-session', 'console-lib', ...contract] },
  // UI components know no domain terms, but their texts are in the shared messages.
  { from: 'console-ui', allow: ['console-ui', 'console-theme', 'contract-messages'] },
  { from: 'console-theme', allow: ['console-theme'] },
  { from: 'console-session', allow: ['console-session', 'console-lib', ...contract] },
  { from: 'console-lib', allow: ['console-lib', ...contract] },
  // Only screen tests import both console and server, because they run against the real server.
  { from: 'console-test', allow: [...typesWithPrefix('console-'), 'server-test', 'server-external', ...contract] },

  // Inserts users with a hashed password into the database, because the API cannot create the first one.
  { from: 'launch', allow: ['launch', 'server-secrets'] },
  { from: 'e2e', allow: ['e2e', 'launch', 'server-external', 'contract-messages'] },
]

export const importRules = {
  default: 'disallow',
  message: 'A file of ${file.type} may not import one of ${dependency.type} (scripts/lint/import-rules.mjs).',
  rules,
}
