import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type { Assignment, PhoneNumber, PhoneNumberChanges, PhoneNumberDraft } from '../shapes/phone-number'

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
