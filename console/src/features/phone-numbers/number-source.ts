import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { createListSource, type ListSource } from '../../kit/record/record'
import { stripPunctuation } from '../../lib/phone-number'

/** Normalizes a search text to the stored number format. */
const normalizeSearch = (source: ListSource<PhoneNumber>): ListSource<PhoneNumber> => ({
  ...source,
  fetch: ({ filter, ...query }: ListQuery, signal) =>
    source.fetch({ ...query, ...(filter ? { filter: stripPunctuation(filter).replace(/^\+/, '') } : {}) }, signal),
})

/** The phone numbers of a provider or, for account users, of their account. */
export const createNumberSource = (actor: Actor, service_provider_sid: string): ListSource<PhoneNumber> =>
  normalizeSearch(createListSource(phoneNumber.list, {}, actor.scope === 'account' ? {} : { service_provider_sid }))
