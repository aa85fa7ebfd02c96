import type { Actor } from '@trunkline/contract/policy/actor'
import type { Kind } from '@trunkline/contract/policy/policy'
import { createAccountSource } from '../features/accounts/account-source'
import { createApplicationSource } from '../features/applications/application-source'
import { createCarrierSource } from '../features/carriers/carrier-source'
import { createClientSource } from '../features/clients/client-source'
import { createLcrSource } from '../features/least-cost-routing/lcr-source'
import { createTenantSource } from '../features/ms-teams-tenants/tenant-source'
import { createNumberSource } from '../features/phone-numbers/number-source'
import { createUserSource } from '../features/users/user-source'
import type { ListSource } from '../kit/record/record'
import { paths } from '../lib/paths'

/** The rows of a list: their kind, and where they come from. */
interface ListRows {
  kind: Kind
  createSource: (actor: Actor, service_provider_sid: string) => ListSource<unknown>
}

/** By path: the rows of a list, known before the code of its screen has loaded. */
export const listRowsByPath: Partial<Record<string, ListRows>> = {
  [paths.accounts.list]: { kind: 'account', createSource: (_actor, sid) => createAccountSource(sid) },
  [paths.applications.list]: { kind: 'application', createSource: createApplicationSource },
  [paths.carriers.list]: { kind: 'voip_carrier', createSource: createCarrierSource },
  [paths.clients.list]: { kind: 'client', createSource: createClientSource },
  [paths.lcrs.list]: { kind: 'lcr', createSource: (_actor, sid) => createLcrSource(sid) },
  [paths.msTeamsTenants.list]: { kind: 'ms_teams_tenant', createSource: createTenantSource },
  [paths.phoneNumbers.list]: { kind: 'phone_number', createSource: createNumberSource },
  [paths.users.list]: { kind: 'user', createSource: createUserSource },
}
