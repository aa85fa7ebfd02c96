/**
 * The new files of a resource, by path.
 * @param {import('./scaffold.mjs').Names} names
 * @returns {Record<string, string>}
 */
export const buildFiles = (names) => {
  const { kebab, kebabs, camel, camels, pascal, pascals, snake, snakes, words, Words, plural, migration } = names
  return {
    [`contract/src/resources/${kebab}.ts`]: `import { defineResource } from '../kit/resource'
import type { ${pascal}, ${pascal}Changes, ${pascal}Draft } from '../shapes/${kebab}'

export const ${camel} = defineResource<${pascal}, ${pascal}Draft, ${pascal}Changes>()({
  kind: '${snake}',
  path: '/${pascals}',
  key: '${snake}_sid',
  noun: { singular: '${words}', plural: '${plural.toLowerCase()}' },
  title: (row) => row.name,
})
`,
    [`contract/src/shapes/${kebab}.ts`]: `import { z } from 'zod'
import { name, optionalSid } from '../kit/fields'

export const ${camel}Schema = z.object({
  ${snake}_sid: z.string(),
  account_sid: z.string(),
  name: z.string(),
  /** The name of the account, so that a list needs no second request. */
  account_name: z.string().nullable().optional(),
})

export const ${camel}DraftSchema = z.strictObject({
  /** Ignored: the server assigns the SID. */
  ${snake}_sid: z.unknown().optional(),
  /** Optional for account users: their own account is used. */
  account_sid: optionalSid(),
  name: name(64, 'missing field name'),
})

export const ${camel}ChangesSchema = ${camel}DraftSchema.partial().omit({ ${snake}_sid: true, account_sid: true })

export type ${pascal} = z.output<typeof ${camel}Schema>
export type ${pascal}Draft = z.input<typeof ${camel}DraftSchema>
export type ${pascal}Changes = z.input<typeof ${camel}ChangesSchema>
`,
    [`contract/src/messages/${kebab}.ts`]: `export const messages = {
  added: '${Words} created',
  saved: '${Words} updated',
  removed: (name: string) => \`${Words} \${name} deleted\`,
  none: 'No ${plural.toLowerCase()}.',
} as const
`,
    [`server/src/db/migrations/${migration}.ts`]: `import { sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

export const trunkline${pascals} = table(
  'trunkline_${snakes}',
  {
    ${snake}_sid: sid().primary(),
    account_sid: sid(),
    name: varchar(64),
  },
  { indexes: { account_idx: ['account_sid'] } },
)

export const createdTables = [trunkline${pascals}]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
`,
    [`server/src/resources/${kebabs}/repository.ts`]: `import type { ${pascal} } from '@trunkline/contract/shapes/${kebab}'
import { sql } from 'kysely'
import { createRepository, type Store } from '../../db/repository'
import { ownershipByKind } from '../../db/tenancy'

export const create${pascal}Repository = (store: Store) =>
  createRepository<${pascal}>(store, {
    ownership: ownershipByKind.${snake},
    sortableColumns: ['name', 'account_name'],
    sortExpressions: { account_name: sql\`accounts.name\` },
    extraColumns: sql\`, accounts.name as account_name\`,
  })
`,
    [`server/src/resources/${kebabs}/routes.ts`]: `import { ${camel} } from '@trunkline/contract/resources/${kebab}'
import { ${camel}ChangesSchema, ${camel}DraftSchema, ${camel}Schema } from '@trunkline/contract/shapes/${kebab}'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { containsText } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { missingField } from '../../shared/refusals'
import { resolveAccountSid, findOwnerForAccount } from '../accounts/public'

export const ${camel}Routes = (app: FastifyInstance, { ${camels}, accounts }: Pick<Services, '${camels}' | 'accounts'>): void => {
  const accountSidOf = (draft: Row, actor: Actor): string => {
    const account_sid = resolveAccountSid(actor, draft.account_sid as string | null)
    if (!account_sid) throw missingField('account_sid')
    return account_sid
  }

  resourceRoutes(app, ${camel}, ${camels}, {
    rowSchema: ${camel}Schema,
    createBody: ${camel}DraftSchema,
    updateBody: ${camel}ChangesSchema,
    listOptions: ({ name, account_sid, service_provider_sid }) => ({
      ...(service_provider_sid ? { provider: service_provider_sid } : {}),
      where: [
        ...(name ? [containsText(sql\`t.name\`, name)] : []),
        ...(account_sid ? [sql\`t.account_sid = \${account_sid}\`] : []),
      ],
    }),
    ownerOf: async (draft, actor) => findOwnerForAccount(accounts, accountSidOf(draft, actor)),
    insertRow: async (draft, ${snake}_sid, actor) =>
      ${camels}.insert({ ...draft, account_sid: accountSidOf(draft, actor), ${snake}_sid }),
  })
}
`,
    [`server/src/resources/${kebabs}/routes.test.ts`]: `import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('${plural} (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let southClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    southClient = createApiClient(backend.app, backend.testData.keys.south)
  })
  afterAll(() => backend.close())

  it('are created, listed, changed and deleted by their account', async () => {
    const creation = await acmeClient('POST', '/${pascals}', { name: 'First' })
    expect(creation.status).toBe(201)
    const path = \`/${pascals}/\${creation.body.sid}\`
    expect(await acmeClient('PUT', path, { name: 'Renamed' })).toMatchObject({ status: 204 })
    expect((await acmeClient('GET', '/${pascals}?name=renamed')).body).toMatchObject([
      { name: 'Renamed', account_sid: backend.testData.acme.account },
    ])
    expect(await acmeClient('DELETE', path)).toMatchObject({ status: 204 })
    expect(await acmeClient('GET', path)).toMatchObject({ status: 404 })
  })

  it('are hidden from other tenants', async () => {
    const { body } = await acmeClient('POST', '/${pascals}', { name: 'Private' })
    const path = \`/${pascals}/\${body.sid}\`
    for (const [method, draft] of [['GET', undefined], ['PUT', { name: 'Stolen' }], ['DELETE', undefined]] as const)
      expect((await southClient(method, path, draft)).status).toBeGreaterThanOrEqual(400)
    expect((await southClient('GET', '/${pascals}')).body).toEqual([])
    expect((await acmeClient('GET', path)).body).toMatchObject({ name: 'Private' })
  })

  it('are refused without a name', async () => {
    expect(await acmeClient('POST', '/${pascals}', {})).toMatchObject({
      status: 400,
      body: { msg: 'missing field name', field: 'name' },
    })
  })
})
`,
    [`console/src/features/${kebabs}/list.tsx`]: `import { messages } from '@trunkline/contract/messages/${kebab}'
import { ${camel} } from '@trunkline/contract/resources/${kebab}'
import type { ${pascal} } from '@trunkline/contract/shapes/${kebab}'
import { LayoutGrid } from 'lucide-react'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { RecordName } from '../../kit/record/record-name'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'

const accountColumn: ListColumn<${pascal}> = {
  id: 'account_name',
  head: 'Account',
  sortable: true,
  cell: (row) => <RecordName kind="account" row={row} link />,
}

export const ${pascal}List = () => {
  const actor = useActor()
  return (
    <ResourceList
      resource={${camel}}
      title="${plural}"
      columns={actor.scope === 'account' ? [] : [accountColumn]}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Account" {...{ value, onChange }} />}
      editPath={(row) => paths.${camels}.edit(row.${snake}_sid)}
      add={{ href: paths.${camels}.add, label: 'Add ${words}' }}
      removeOptions={{ removedMessage: (row) => messages.removed(row.name) }}
      empty={{ title: messages.none, icon: LayoutGrid }}
    />
  )
}
`,
    [`console/src/features/${kebabs}/form.tsx`]: `import { messages } from '@trunkline/contract/messages/${kebab}'
import { ${camel} } from '@trunkline/contract/resources/${kebab}'
import { ${camel}ChangesSchema, ${camel}DraftSchema, type ${pascal} } from '@trunkline/contract/shapes/${kebab}'
import { AccountField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'

/** The form values. A type, not an interface: the form library requires an index signature. */
type Values = {
  name: string
  account_sid: string | null
}

export const ${pascal}Form = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const ownAccountSid = actor.scope === 'account' ? actor.account_sid : null
  return (
    <ResourceForm<${pascal}, Values>
      resource={${camel}}
      sid={sid}
      title={{ add: 'Add ${words}', edit: 'Edit ${words}' }}
      values={(row) => ({ name: row?.name ?? '', account_sid: row?.account_sid ?? ownAccountSid })}
      body={({ name, account_sid }, row) => (row ? { name: name.trim() } : { name: name.trim(), account_sid })}
      schema={sid ? ${camel}ChangesSchema : ${camel}DraftSchema}
      save={(body, { sid: storedSid }) =>
        saveRecord(${camel}, storedSid ? { sid: storedSid, changes: body } : { draft: body })
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isNew) => (isNew ? paths.${camels}.list : undefined)}
      cancelPath={paths.${camels}.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton resource={${camel}} row={record} removedMessage={(row) => messages.removed(row.name)} nextPath={paths.${camels}.list} />
        ) : null
      }
    >
      {({ isNew }) => (
        <Section>
          <Grid>
            <Cell>
              <FormTextField name="name" label="Name" required maxLength={64} autoFocus={isNew} />
            </Cell>
            {actor.scope === 'account' ? null : (
              <Cell>
                <AccountField
                  name="account_sid"
                  label="Account"
                  required={isNew}
                  readOnly={!isNew}
                  placeholder="Choose account"
                />
              </Cell>
            )}
          </Grid>
        </Section>
      )}
    </ResourceForm>
  )
}
`,
  }
}
