import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type {
  Assignment,
  Import,
  ImportAnswer,
  PhoneNumber,
  PhoneNumberChanges,
  PhoneNumberDraft,
} from '../shapes/phone-number'

export const phoneNumber = resource<PhoneNumber, PhoneNumberDraft, PhoneNumberChanges>()({
  kind: 'phone_number',
  path: '/PhoneNumbers',
  key: 'phone_number_sid',
  noun: { one: 'phone number', many: 'phone numbers' },
  title: (row) => row.number,
})

export const phoneNumbersOfProvider = route<{ query: ListQuery; answer: PhoneNumber[] | Page<PhoneNumber> }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/PhoneNumbers',
  'List the phone numbers of a service provider',
)

/** Ours (see abilities.bulk): one application for many numbers, all of them or none. */
export const assignApplication = route<{ body: Assignment; answer: { changed: number } }>()(
  'PUT',
  '/PhoneNumbers',
  'Assign one application to many phone numbers',
  { status: 200 },
)

/** Ours (see abilities.import): adds many phone numbers, and changes those that are there already. */
export const importNumbers = route<{ body: Import; answer: ImportAnswer }>()(
  'POST',
  '/PhoneNumbers/Import',
  'Look at many phone numbers to be added or changed, or write them',
  { status: 200 },
)
