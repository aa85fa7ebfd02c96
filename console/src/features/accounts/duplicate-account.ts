import { messages } from '@trunkline/contract/messages/account'
import { messages as general } from '@trunkline/contract/messages/general'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import type { FieldErrors } from '../../kit/form/form'
import { rethrowDuplicate } from '../../kit/form/duplicate-value'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { AccountValues } from './values'

/** The server's maximum page size; more name matches than this are not expected. */
const maxMatches = 1000

/**
 * Checks name and realm against the provider's other accounts. The query filters by name, so a server that pages
 * returns no account that shares only the realm. The server itself checks realms across all providers.
 */
export const findDuplicateErrors = async (
  { name, sip_realm }: AccountValues,
  record: Account | undefined,
  service_provider_sid: string,
): Promise<FieldErrors> => {
  const entered = { name: name.trim(), realm: sip_realm.trim().toLowerCase() }
  if (entered.name === record?.name && entered.realm === (record.sip_realm ?? '')) return {}
  const query = { name: entered.name, page: 1, page_size: maxMatches }
  const response = await request(accountsOfProvider, { params: { service_provider_sid }, query })
  const otherAccounts = (Array.isArray(response) ? response : response.data).filter(
    ({ account_sid }) => account_sid !== record?.account_sid,
  )
  return {
    ...(otherAccounts.some((other) => other.name === entered.name) ? { name: messages.duplicateName } : {}),
    ...(entered.realm && otherAccounts.some((other) => other.sip_realm === entered.realm)
      ? { sip_realm: messages.duplicateSipRealm }
      : {}),
  }
}

/** Rethrows a server error with the specified wording: duplicate name or realm on its field, 403 for the form. */
export const rethrowWithFieldError = (error: unknown): never => {
  if (error instanceof Problem && error.status === 403) throw new Problem(403, { msg: general.mayNotChange('Account') })
  return rethrowDuplicate(
    { field: 'name', indexName: "key 'name'", message: messages.duplicateName },
    { field: 'sip_realm', indexName: 'sip_realm', message: messages.duplicateSipRealm },
  )(error)
}
