import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { predefinedCarriers } from '@trunkline/contract/resources/predefined-carrier'
import { useEffect, useRef } from 'react'
import { useUnguardedNavigate } from '../../kit/record/use-unguarded-navigate'
import { useRecordAction } from '../../kit/record/record-mutations'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Select } from '../../ui/form/select'
import { toast } from '../../ui/feedback/toast'
import { addPredefinedCarrier } from './carrier-requests'

/** A link to the add screen with this URL fragment moves the focus to the predefined carriers. */
export const predefinedCarrierUrlFragment = '#predefined'

/** Selects a predefined carrier: creates it and opens its edit screen. */
export const PredefinedCarrierSelect = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const navigate = useUnguardedNavigate()
  const { data = [], isPending } = useQuery({
    queryKey: namedQueryKey('predefined_carrier', 'all'),
    queryFn: ({ signal }) => request(predefinedCarriers, { signal }),
    staleTime: Infinity,
  })
  const addition = useRecordAction('voip_carrier', (sid: string) =>
    addPredefinedCarrier(actor, service_provider_sid, sid),
  )

  const addCarrier = async (sid: string) => {
    if (addition.isPending) return
    const carrierSid = await addition.mutateAsync(sid).catch(() => undefined)
    if (carrierSid === undefined) return
    toast.ok(messages.added)
    // the values of the new carrier's form are discarded without a question
    await navigate(paths.carriers.edit(carrierSid))
  }

  const selectRef = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (window.location.hash !== predefinedCarrierUrlFragment) return
    // a new screen first moves the focus to its heading
    const timer = setTimeout(() => selectRef.current?.focus(), 50)
    return () => clearTimeout(timer)
  }, [])

  return (
    <Select
      ref={selectRef}
      label="Predefined carrier"
      placeholder={messages.choosePredefined}
      help="Creates the carrier with its gateways filled in."
      value={null}
      options={data.map((carrier) => ({ value: carrier.predefined_carrier_sid, label: carrier.name }))}
      searchable
      loading={isPending}
      disabled={addition.isPending || addition.isSuccess}
      onChange={(sid) => void addCarrier(sid)}
    />
  )
}
