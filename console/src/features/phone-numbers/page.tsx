import { messages } from '@trunkline/contract/messages/phone-number'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'

/** What the two screens of a phone number have in common. */
export const usePhoneNumberPage = (): RecordPageOptions<PhoneNumber> => {
  const isAccountUser = useActor().scope === 'account'
  return {
    resource: phoneNumber,
    paths: paths.phoneNumbers,
    listPath: paths.phoneNumbers.list,
    mono: true,
    removeOptions: { removedMessage: ({ number }) => messages.removed(number) },
    facts: (row) => [
      ...(isAccountUser ? [] : [{ label: 'Account', value: <RecordName kind="account" row={row} link /> }]),
      { label: 'Application', value: <RecordName kind="application" row={row} link /> },
      { label: 'Carrier', value: <RecordName kind="voip_carrier" row={row} link /> },
    ],
  }
}

/** The frame of the form of a phone number. */
export const PhoneNumberSettings = ({ sid, children }: { sid: string; children: ReactNode }) => (
  <RecordSettings {...usePhoneNumberPage()} sid={sid}>
    {children}
  </RecordSettings>
)
