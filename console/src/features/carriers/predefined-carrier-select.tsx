import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { predefinedCarriers } from '@trunkline/contract/resources/predefined-carrier'
import { useEffect, useRef } from 'react'
import { useUnguardedNavigate } from '../../kit/record/use-navigate'
import { useRecordAction } from '../../kit/record/record'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Select } from '../../ui/form/select'
import { toast } from '../../ui/feedback/toast'
import { addPredefinedCarrier } from './carrier-requests'

/** The URL hash of the add page that moves the focus to the predefined carriers. */
export const predefinedHash = '#predefined'

/** Selects a predefined carrier: creates it and opens its edit page. */
export const PredefinedCarrierSelect = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const navigate = useUnguardedNavigate()
  const { data = [], isPending } = useQuery({
    queryKey: ['predefined_carrier', 'list'],
    queryFn: ({ signal }) => request(predefinedCarriers, { signal }),
    staleTime: Infinity,
  })
  const add = useRecordAction('voip_carrier', (sid: string) => addPredefinedCarrier(actor, service_provider_sid, sid))

  const addCarrier = async (sid: string) => {
    if (add.isPending) return
    const carrierSid = await add.mutateAsync(sid).catch(() => undefined)
    if (carrierSid === undefined) return
    toast.ok(messages.added)
    // leaves without the question about unsaved values
    await navigate(paths.carriers.edit(carrierSid))
  }

  const input = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (window.location.hash !== predefinedHash) return
    // a new page first moves the focus to its heading
    const timer = setTimeout(() => input.current?.focus(), 50)
    return () => clearTimeout(timer)
  }, [])

  return (
    <Select
      ref={input}
      label="Predefined carrier"
      placeholder={messages.choosePredefined}
      help="Creates the carrier with its gateways filled in."
      value={null}
      options={data.map((carrier) => ({ value: carrier.predefined_carrier_sid, label: carrier.name }))}
      searchable
      loading={isPending}
      disabled={add.isPending || add.isSuccess}
      onChange={(sid) => void addCarrier(sid)}
    />
  )
}
