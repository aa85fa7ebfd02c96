import { messages } from '@trunkline/contract/messages/phone-number'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { paths } from '../../lib/paths'
import { toDialableNumber, toStoredNumber } from '../../lib/phone-number'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { createCallsPath, type RecordCalls } from '../../panels/calls/record-calls'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'

/**
 * Returns a function that selects the calls of a number, or undefined until the server's capabilities are known. Call records
 * contain the number, not the SID of its record. A server without the filter by number searches for it as text.
 */
export const useNumberCalls = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return (row: PhoneNumber | undefined): RecordCalls | undefined => {
    if (!row?.number || !capabilities) return undefined
    const number = toDialableNumber(String(row.number))
    const text = toStoredNumber(number)
    return {
      scope: actor.scope === 'account' ? ['account', actor.account_sid] : ['provider', service_provider_sid],
      ...(capabilities.recordCounts
        ? { filters: { number }, search: { number } }
        : { filters: { filter: text }, search: { text } }),
    }
  }
}

/** What the two screens of a phone number have in common. */
export const usePhoneNumberPage = (): RecordPageOptions<PhoneNumber> => {
  const isAccountUser = useActor().scope === 'account'
  const getCalls = useNumberCalls()
  return {
    resource: phoneNumber,
    paths: paths.phoneNumbers,
    listPath: paths.phoneNumbers.list,
    mono: true,
    links: (row) => {
      const calls = getCalls(row)
      return calls ? [{ id: 'calls', label: 'Calls', href: createCallsPath(calls, { date: '7' }) }] : []
    },
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
