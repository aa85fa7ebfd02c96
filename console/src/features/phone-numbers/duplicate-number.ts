import { messages } from '@trunkline/contract/messages/phone-number'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { FieldErrors } from '../../kit/form/form'
import { request } from '../../lib/client'
import { stripPunctuation, toStoredNumber } from '../../lib/phone-number'

/** The server's maximum page size; a short number may be part of many others. */
const maxMatches = 1000

/**
 * Checks a new number against all numbers that the user may see, on every carrier: the server checks the same carrier
 * only.
 */
export const findDuplicateNumber = async (
  enteredNumber: string,
  service_provider_sid: string | undefined,
): Promise<FieldErrors> => {
  const filter = toStoredNumber(stripPunctuation(enteredNumber))
  const query = { filter, page: 1, page_size: maxMatches, ...(service_provider_sid ? { service_provider_sid } : {}) }
  const response = await request(phoneNumber.list, { query })
  const matches = Array.isArray(response) ? response : response.data
  return matches.some(({ number }) => toStoredNumber(number) === filter) ? { number: messages.duplicateNumber } : {}
}
