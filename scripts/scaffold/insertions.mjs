/**
 * The lines that register a resource. Each is inserted after the matching line of SIP clients or after the newest
 * migration. If you change one of those lines, update its `after` pattern; the test of the scaffold fails otherwise.
 * @param {import('./scaffold.mjs').Names} names
 * @returns {{ file: string, after: RegExp, text: string }[]}
 */
export const buildInsertions = ({
  kebab,
  kebabs,
  camel,
  camels,
  pascal,
  pascals,
  snake,
  snakes,
  Words,
  plural,
  migration,
}) => [
  {
    file: 'contract/src/policy/policy.ts',
    after: /^ {2}client: tenantRecord,\n/m,
    text: `  ${snake}: tenantRecord,\n`,
  },
  { file: 'contract/src/policy/can.test.ts', after: /^ {2}client: record,\n/m, text: `  ${snake}: record,\n` },
  {
    file: 'server/src/db/migrate.ts',
    after: /^import \* as \w+ from '\.\/migrations\/[^']+'\n(?!import \* as)/m,
    text: `import * as ${camels} from './migrations/${migration}'\n`,
  },
  {
    file: 'server/src/db/migrate.ts',
    after: /^ {2}nameMigration\('\d{4}-[^\n]+\n(?=\])/m,
    text: `  nameMigration('${migration}', ${camels}),\n`,
  },
  {
    file: 'server/src/db/migrate.test.ts',
    after: /^ {2}'\d{4}-[^\n]+\n(?=\])/m,
    text: `  '${migration}',\n`,
  },
  {
    file: 'server/src/db/schema.ts',
    after: /^import type \{[^}]*\} from '\.\/migrations\/[^']+'\n(?!import type \{[^}]*\} from '\.\/migrations)/m,
    text: `import type { trunkline${pascals} } from './migrations/${migration}'\n`,
  },
  {
    file: 'server/src/db/schema.ts',
    after: /^ {2}clients: RowOf<typeof clients>\n/m,
    text: `  trunkline_${snakes}: RowOf<typeof trunkline${pascals}>\n`,
  },
  {
    file: 'server/src/db/tenancy.ts',
    after: /^ {2}client: \{[^\n]+\n/m,
    text: `  ${snake}: { ...ownedByAccount, table: 'trunkline_${snakes}', key: '${snake}_sid' },\n`,
  },
  {
    file: 'server/src/composition/repositories.ts',
    after: /^import \{ createClientRepository \} from [^\n]+\n/m,
    text: `import { create${pascal}Repository } from '../resources/${kebabs}/repository'\n`,
  },
  {
    file: 'server/src/composition/repositories.ts',
    after: /^ {4}clients: createClientRepository\([^\n]+\n/m,
    text: `    ${camels}: create${pascal}Repository(store),\n`,
  },
  {
    file: 'server/src/composition/mount-resources.ts',
    after: /^import \{ clientRoutes \} from [^\n]+\n/m,
    text: `import { ${camel}Routes } from '../resources/${kebabs}/routes'\n`,
  },
  {
    file: 'server/src/composition/mount-resources.ts',
    after: /^ {2}clientRoutes\(app, services\)\n/m,
    text: `  ${camel}Routes(app, services)\n`,
  },
  {
    file: 'console/src/lib/paths.ts',
    after: /^ {2}clients: formPaths\('clients'\),\n/m,
    text: `  ${camels}: formPaths('${kebabs}'),\n`,
  },
  {
    file: 'console/src/lib/paths.ts',
    after: /^ {6}client: paths\.clients\.edit,\n/m,
    text: `      ${snake}: paths.${camels}.edit,\n`,
  },
  {
    file: 'console/src/app/screens.ts',
    after: /^ {2}\.\.\.\w+\(paths\.clients, [^]*?\n {2}\}\),\n/m,
    text: `  ...createRecordScreens(paths.${camels}, '${plural}', '${snake}', {
    list: () => import('../features/${kebabs}/list').then((module) => module.${pascal}List),
    form: () => import('../features/${kebabs}/form').then((module) => module.${pascal}Form),
  }),\n`,
  },
  {
    file: 'console/src/app/navigation.ts',
    after: /^ {6}\{ label: 'Clients',[^\n]+\n/m,
    text: `      { label: '${plural}', icon: LayoutGrid, href: () => paths.${camels}.list },\n`,
  },
  {
    file: 'console/src/app/palette/record-search.ts',
    after: /^import \{ client \} from [^\n]+\n/m,
    text: `import { ${camel} } from '@trunkline/contract/resources/${kebab}'\n`,
  },
  {
    file: 'console/src/app/palette/record-search.ts',
    after: /^ {2}\{\n {4}kind: 'client',\n[^]*?\n {2}\},\n/m,
    text: `  { kind: '${snake}', list: ${camel}.list, params: {}, read: ${camel}.read, buildQuery: toNameQuery, getTitle: createColumnGetter('name') },\n`,
  },
  {
    file: 'console/src/kit/record/kind-labels.ts',
    after: /^ {2}client: \{[^\n]+\n/m,
    text: `  ${snake}: { icon: LayoutGrid, label: '${plural}', singular: '${Words}' },\n`,
  },
]
