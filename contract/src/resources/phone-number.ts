import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type {
  Assignment,
  AssignmentResponse,
  Import,
  ImportResponse,
  PhoneNumber,
  PhoneNumberChanges,
  PhoneNumberDraft,
} from '../shapes/phone-number'

export const phoneNumber = defineResource<PhoneNumber, PhoneNumberDraft, PhoneNumberChanges>()({
  kind: 'phone_number',
  path: '/PhoneNumbers',
  key: 'phone_number_sid',
  noun: { singular: 'phone number', plural: 'phone numbers' },
  title: (row) => row.number,
})

export const phoneNumbersOfProvider = defineRoute<{ query: ListQuery; response: PhoneNumber[] | Page<PhoneNumber> }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/PhoneNumbers',
  'List the phone numbers of a service provider',
)

/**
 * A Trunkline addition: server capability `bulk`. Assigns one application to many numbers, or refuses it for all. Numbers
 * that no longer exist are skipped and returned; the request is refused if none of the numbers exists.
 */
export const assignApplication = defineRoute<{ body: Assignment; response: AssignmentResponse }>()(
  'PUT',
  '/PhoneNumbers',
  'Assign one application to many phone numbers',
  { status: 200 },
)

/** A Trunkline addition: server capability `import`. Adds many numbers, and updates those that already exist. */
export const importNumbers = defineRoute<{ body: Import; response: ImportResponse }>()(
  'POST',
  '/PhoneNumbers/Import',
  'Preview or import many phone numbers',
  { status: 200 },
)
