import { sql, type RawBuilder } from 'kysely'
import type { KindWithDependents } from '@trunkline/contract/resources/dependents'
import type { ownershipByKind } from '../../db/tenancy'

/** How records of one kind refer to a record. In every SQL fragment `t` is the table of the referring kind. */
export interface Reference {
  kind: keyof typeof ownershipByKind
  /** The columns of a title: the first that has a value. */
  titles: readonly [RawBuilder<unknown>, RawBuilder<unknown>?]
  refersTo: (sid: string) => RawBuilder<unknown>
  preventsDeletion: boolean
}

const titlesByKind = {
  account: [sql`t.name`],
  user: [sql`t.name`],
  application: [sql`t.name`],
  voip_carrier: [sql`t.name`],
  lcr: [sql`t.name`, sql`t.lcr_sid`],
  client: [sql`t.username`],
  phone_number: [sql`t.number`],
  ms_teams_tenant: [sql`t.tenant_fqdn`],
  speech_credential: [sql`nullif(t.label, '')`, sql`t.vendor`],
  // A key without a name is known by its last characters; its token is a secret.
  api_key: [
    sql`(select n.name from trunkline_api_key_names n where n.api_key_sid = t.api_key_sid)`,
    sql`concat(${sql.lit('•'.repeat(12))}, substr(t.token, -4))`,
  ],
} satisfies Record<string, Reference['titles']>

const reference = (
  kind: keyof typeof titlesByKind,
  refersTo: Reference['refersTo'],
  preventsDeletion: boolean,
): Reference => ({ kind, titles: titlesByKind[kind], refersTo, preventsDeletion })

const inProvider = (sid: string) => sql`t.service_provider_sid = ${sid}`
const inAccount = (sid: string) => sql`t.account_sid = ${sid}`
const usesApplication = (sid: string) => sql`t.application_sid = ${sid}`

/** Whether an application selects the credential `c`, as primary or fallback. A missing label counts as blank. */
const selectsCredential = (service: 'synthesis' | 'recognizer') =>
  sql.join(
    ['', 'fallback_'].map((prefix) => {
      const column = (name: string) => sql.ref(`t.${prefix}speech_${service}_${name}`)
      return sql`(${column('vendor')} = c.vendor and coalesce(${column('label')}, '') = coalesce(c.label, ''))`
    }),
    sql` or `,
  )

/** Whether an application uses a credential of its account, or one that its provider shares. */
const usesCredential = (sid: string) => sql`exists (select 1 from speech_credentials c
  where c.speech_credential_sid = ${sid}
    and (t.account_sid = c.account_sid or (c.account_sid is null and (t.service_provider_sid = c.service_provider_sid
      or t.account_sid in (select a.account_sid from accounts a where a.service_provider_sid = c.service_provider_sid))))
    and ((coalesce(c.use_for_tts, 1) <> 0 and (${selectsCredential('synthesis')}))
      or (coalesce(c.use_for_stt, 1) <> 0 and (${selectsCredential('recognizer')}))))`

/** What can refer to a record of each kind. The order is that of the response. */
export const referencesByKind: Record<KindWithDependents, Reference[]> = {
  service_provider: [
    reference('account', inProvider, true),
    reference('user', inProvider, true),
    reference('application', inProvider, true),
    reference(
      'phone_number',
      (sid) => sql`(t.service_provider_sid = ${sid}
        or t.voip_carrier_sid in (select c.voip_carrier_sid from voip_carriers c where c.service_provider_sid = ${sid}))`,
      true,
    ),
    reference('ms_teams_tenant', inProvider, true),
  ],
  account: [
    reference('phone_number', inAccount, true),
    reference('ms_teams_tenant', inAccount, true),
    reference('application', inAccount, true),
    reference('api_key', inAccount, true),
    // These are deleted with the account.
    reference('voip_carrier', inAccount, false),
    reference('client', inAccount, false),
    reference('speech_credential', inAccount, false),
    reference('user', inAccount, false),
  ],
  application: [
    reference('phone_number', usesApplication, true),
    reference('ms_teams_tenant', usesApplication, true),
    reference('voip_carrier', usesApplication, true),
    reference('account', (sid) => sql`(t.device_calling_application_sid = ${sid} or t.siprec_hook_sid = ${sid})`, true),
  ],
  voip_carrier: [
    reference('phone_number', (sid) => sql`t.voip_carrier_sid = ${sid}`, true),
    reference(
      'lcr',
      (sid) => sql`t.lcr_sid in (select r.lcr_sid from lcr_carrier_set_entry e
        join lcr_routes r on r.lcr_route_sid = e.lcr_route_sid where e.voip_carrier_sid = ${sid})`,
      true,
    ),
  ],
  // Its applications keep working with the vendor's other credentials, so they do not prevent the deletion.
  speech_credential: [reference('application', usesCredential, false)],
}
