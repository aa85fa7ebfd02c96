import { messages } from '@trunkline/contract/messages/account'
import { messages as general } from '@trunkline/contract/messages/general'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import type { Faults } from '../../kit/form'
import { sayTaken } from '../../kit/taken'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { AccountValues } from './values'

/** As many as a server gives at once: more accounts whose names contain one name are not to be feared. */
const most = 1000

/**
 * Name and realm among the other accounts of the provider. A server that pages is asked for the name alone: about the
 * realm it decides itself, over all providers.
 */
export const takenAmongAccounts = async (
  { name, sip_realm }: AccountValues,
  record: Account | undefined,
  service_provider_sid: string,
): Promise<Faults> => {
  const wanted = { name: name.trim(), realm: sip_realm.trim().toLowerCase() }
  if (wanted.name === record?.name && wanted.realm === (record.sip_realm ?? '')) return {}
  const query = { name: wanted.name, page: 1, page_size: most }
  const answer = await request(accountsOfProvider, { params: { service_provider_sid }, query })
  const others = (Array.isArray(answer) ? answer : answer.data).filter(
    ({ account_sid }) => account_sid !== record?.account_sid,
  )
  return {
    ...(others.some((each) => each.name === wanted.name) ? { name: messages.nameTaken } : {}),
    ...(wanted.realm && others.some((each) => each.sip_realm === wanted.realm)
      ? { sip_realm: messages.realmTaken }
      : {}),
  }
}

/** A refusal of the server in the specification's words: a taken name or realm on its field, missing permissions as a whole. */
export const sayRefusal = (error: unknown): never => {
  if (error instanceof Problem && error.status === 403) throw new Problem(403, { msg: general.mayNotChange('Account') })
  return sayTaken(
    { field: 'name', sign: "key 'name'", message: messages.nameTaken },
    { field: 'sip_realm', sign: 'sip_realm', message: messages.realmTaken },
  )(error)
}
