import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { predefinedCarriers } from '@trunkline/contract/resources/predefined-carrier'
import { useEffect, useRef } from 'react'
import { useGo } from '../../kit/record/use-navigate'
import { useAction } from '../../kit/record/record'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Select } from '../../ui/form/select'
import { toast } from '../../ui/feedback/toast'
import { addPredefined } from './carrier-requests'

/** The URL hash of the add page that moves the focus to the predefined carriers. */
export const predefinedMark = '#predefined'

/** Selects a predefined carrier: creates it and opens its edit page. */
export const Predefined = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const go = useGo()
  const { data = [], isPending } = useQuery({
    queryKey: ['predefined_carrier', 'list'],
    queryFn: ({ signal }) => request(predefinedCarriers, { signal }),
    staleTime: Infinity,
  })
  const add = useAction('voip_carrier', (sid: string) => addPredefined(actor, service_provider_sid, sid))

  const choose = async (sid: string) => {
    if (add.isPending) return
    const added = await add.mutateAsync(sid).catch(() => undefined)
    if (added === undefined) return
    toast.ok(messages.added)
    // leaves without the question about unsaved values
    await go(paths.carriers.edit(added))
  }

  const input = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (window.location.hash !== predefinedMark) return
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
      options={data.map((each) => ({ value: each.predefined_carrier_sid, label: each.name }))}
      searchable
      loading={isPending}
      disabled={add.isPending || add.isSuccess}
      onChange={(sid) => void choose(sid)}
    />
  )
}
