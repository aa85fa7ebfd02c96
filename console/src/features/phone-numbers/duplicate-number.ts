import { messages } from '@trunkline/contract/messages/phone-number'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { FieldErrors } from '../../kit/form/form'
import { requestList } from '../../lib/request-list'
import { stripPunctuation, toStoredNumber } from '../../lib/phone-number'

/** The server's maximum page size; a short number may be part of many others. */
const maxMatches = 1000

/**
 * Returns an error if a number that the user may see equals the new one, on any carrier. The server checks only the
 * same carrier.
 */
export const findDuplicateNumberErrors = async (
  enteredNumber: string,
  service_provider_sid: string | undefined,
): Promise<FieldErrors> => {
  const digits = toStoredNumber(stripPunctuation(enteredNumber))
  const query = {
    filter: digits,
    page: 1,
    page_size: maxMatches,
    ...(service_provider_sid ? { service_provider_sid } : {}),
  }
  const { rows } = await requestList(phoneNumber.list, { query })
  return rows.some(({ number }) => toStoredNumber(number) === digits) ? { number: messages.duplicateNumber } : {}
}
