import { messages } from '@trunkline/contract/messages/account'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import type { FieldErrors } from '../../kit/form/form'
import { rethrowDuplicate } from '../../kit/form/duplicate-value'
import { Problem } from '../../lib/problem'
import { requestList } from '../../lib/request-list'
import type { AccountValues } from './values'

/** The server's maximum page size; more name matches than this are not expected. */
const maxMatches = 1000

/**
 * Checks name and realm against the provider's other accounts. If the server filters them by name, the check misses an
 * account with the same realm and another name. The server itself checks realms across all providers.
 */
export const findDuplicateErrors = async (
  { name, sip_realm }: AccountValues,
  record: Account | undefined,
  service_provider_sid: string,
): Promise<FieldErrors> => {
  const enteredValues = { name: name.trim(), realm: sip_realm.trim().toLowerCase() }
  if (enteredValues.name === record?.name && enteredValues.realm === (record.sip_realm ?? '')) return {}
  const query = { name: enteredValues.name, page: 1, page_size: maxMatches }
  const { rows } = await requestList(accountsOfProvider, { params: { service_provider_sid }, query })
  const otherAccounts = rows.filter(({ account_sid }) => account_sid !== record?.account_sid)
  return {
    ...(otherAccounts.some((account) => account.name === enteredValues.name) ? { name: messages.duplicateName } : {}),
    ...(enteredValues.realm && otherAccounts.some((account) => account.sip_realm === enteredValues.realm)
      ? { sip_realm: messages.duplicateSipRealm }
      : {}),
  }
}

/** Rethrows a server error with the console's message: a duplicate name or realm on its field, a 403 on the form. */
export const rethrowAsFieldError = (error: unknown): never => {
  if (error instanceof Problem && error.status === 403)
    throw new Problem(403, { msg: generalMessages.mayNotChange('Account') })
  return rethrowDuplicate(
    { field: 'name', indexName: "key 'name'", message: messages.duplicateName },
    { field: 'sip_realm', indexName: 'sip_realm', message: messages.duplicateSipRealm },
  )(error)
}
