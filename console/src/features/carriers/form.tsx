import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { create, update, type VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { useRef, useState } from 'react'
import { Flag } from '../../fields/flag-field'
import { Text } from '../../fields/text-fields'
import { Duplicate, nameOfCopy, useCopied } from '../../kit/record/duplicate'
import { ResourceForm } from '../../kit/form/form'
import type { FormState } from '../../kit/form/form-props'
import { refreshAfter, useAction } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { pathsOf } from '../../kit/form/resolver'
import { useRemovals } from '../../kit/form/use-row-deletions'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/feedback/toast'
import { Beside, type TabId } from './side-column'
import { carrierCalls, wholeCarrier } from './carrier-requests'
import type { GatewayTableHandle } from './gateway-table'
import { gatewayBody, gatewayValues, placedGateways } from './gateways'
import { Predefined } from './predefined-carrier-select'
import { useRemoval } from './carrier-removal'
import { GatewaysRefused, makeSaver } from './save-carrier'
import { Sms } from './sms-settings'
import { placedSmpp, storedSmpp, type SmppBody } from './smpp-gateways'
import {
  carrierFaults,
  carrierSent,
  carrierValues,
  copyOfCarrier,
  valuesWithout,
  type CarrierValues,
  type WholeCarrier,
} from './values'
import type { ListName } from './use-gateway-rows'
import { Voice } from './voice-settings'

/** The tab that contains a field; the name is above both tabs. */
const tabOf = (path: string): TabId | undefined => {
  if (path === 'name') return undefined
  return path.startsWith('smpp') ? 'sms' : 'voice'
}

const wrongIn = (tab: TabId, errors: object) =>
  Object.keys(pathsOf(errors)).filter((path) => tabOf(path) === tab).length

const sayRemoved = ({ sip, smpp }: { sip: unknown[]; smpp: SmppBody[] }) => {
  if (sip.length > 0) toast.ok(messages.gatewayRemoved)
  if (smpp.some(({ outbound }) => outbound)) toast.ok(messages.smppGatewayRemoved('outbound'))
  if (smpp.some(({ inbound }) => inbound)) toast.ok(messages.smppGatewayRemoved('inbound'))
}

const removedWords: Record<ListName, string> = {
  gateways: messages.gatewayRemoved,
  smppOutbound: messages.smppGatewayRemoved('outbound'),
  smppInbound: messages.smppGatewayRemoved('inbound'),
}

/** Ignores a 404: someone else has already deleted the gateway. */
const unlessGone = (error: unknown) => {
  if (!(error instanceof Problem && error.status === 404)) throw error
}

type State = FormState<WholeCarrier, CarrierValues>

/**
 * Adds or edits a carrier with its gateways. Save stores everything except deleted gateways, which are deleted at once.
 */
export const CarrierForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const cache = useQueryClient()
  const removal = useRemoval()
  const copied = useCopied()
  const [home] = useState({ service_provider_sid })
  const [calls] = useState(() =>
    carrierCalls(actor, home, async () => (await cache.ensureQueryData(capabilitiesQuery)).gateways),
  )
  const [saver] = useState(() => makeSaver(calls))
  const gatewayRemoval = useAction('voip_carrier', ({ list, key }: { list: ListName; key: string }) =>
    (list === 'gateways' ? calls.sip : calls.smpp).remove(key).catch(unlessGone),
  )
  const removals = useRemovals()
  const [begun, setBegun] = useState(sid !== undefined || copied !== undefined)
  const [tab, setTab] = useState<TabId>('voice')
  const table = useRef<GatewayTableHandle>(null)
  const own = actor.scope === 'account' ? actor.account_sid : null

  const know = ({ gateways, smpp }: WholeCarrier) =>
    saver.knows(
      gateways.map((row) => [row.sip_gateway_sid, gatewayBody(gatewayValues(row))]),
      smpp.map((row) => [row.smpp_gateway_sid, storedSmpp(row)]),
    )

  const read = async (asked: string, signal: AbortSignal) => {
    const found = await wholeCarrier(actor, asked, signal)
    // a copy has nothing stored yet
    if (sid === undefined) return found
    know(found)
    home.service_provider_sid = found.service_provider_sid ?? service_provider_sid
    return found
  }

  const save = async (body: object, values: CarrierValues) => {
    try {
      const sip = placedGateways(values.gateways, values.trunk_type)
      const saved = await saver.save({ sid, body, version: values.version, sip, smpp: placedSmpp(values) })
      sayRemoved(saved.removed)
      return saved.sid
    } catch (error) {
      if (!(error instanceof GatewaysRefused)) throw error
      void refreshAfter(cache, 'voip_carrier')
      // the carrier is stored, so a predefined one can no longer be selected
      setBegun(true)
      toast.bad(messages.gatewaysLeft)
      table.current?.refuse(error.faults)
      const [[field, msg] = ['', '']] = Object.entries(error.faults)
      throw new Problem(400, { msg, field })
    }
  }

  /** Deletes a stored gateway, and removes it from the form's initial values, so that it is not an unsaved change. */
  const removeGateway = async ({ begin }: State, list: ListName, key: string) => {
    const done = await gatewayRemoval.mutateAsync({ list, key }).then(
      () => true,
      () => false,
    )
    if (!done) return false
    const now = await wholeCarrier(actor, sid ?? '').catch(() => undefined)
    if (now) know(now)
    begin((before) => valuesWithout(before, list, key, now && carrierValues(now, own)))
    toast.ok(removedWords[list])
    return true
  }

  const removeStored = (state: State, list: ListName, key: string) =>
    removals.during(() => removeGateway(state, list, key))

  /** Opens the tab of the first invalid field, so that the field can take the focus. */
  const show = (wrong: string[]) => {
    const tabs = wrong.map(tabOf)
    if (tabs.includes(undefined) || tabs.includes(tab)) return
    setTab(tabs[0] ?? tab)
  }

  return (
    <ResourceForm<VoipCarrier, CarrierValues, WholeCarrier>
      of={voipCarrier}
      sid={sid}
      title={{ add: 'Add carrier', edit: 'Edit carrier' }}
      read={read}
      copy={(record) => ({ ...copyOfCarrier(record), name: nameOfCopy(record.name) })}
      values={(row) => carrierValues(row, own)}
      body={carrierSent}
      schema={sid ? update : create}
      rules={carrierFaults}
      save={(body, { values }) => save(body as object, values)}
      added={messages.added}
      saved={messages.saved}
      after={(_saved, adding) => (adding ? paths.carriers.list : undefined)}
      cancel={paths.carriers.list}
      blocked={() => (removals.isRemoving ? messages.gatewayBeingRemoved : undefined)}
      actions={({ record }) =>
        record ? (
          <>
            <Duplicate of={voipCarrier} row={record} add={paths.carriers.add} />
            <RemoveButton {...removal} of={voipCarrier} row={record} to={paths.carriers.list} />
          </>
        ) : null
      }
      onWrong={(wrong) => {
        show(wrong)
        if (wrong.includes('gateways')) table.current?.focusAdd()
      }}
      aside={({ form, record }) => <Beside row={record} account_sid={form.watch('account_sid')} tab={tab} />}
    >
      {(state) => (
        <>
          <Section>
            <Grid>
              <Cell span={begun ? 12 : 6}>
                <Text name="name" label="Carrier name" required maxLength={64} />
              </Cell>
              {begun ? null : (
                <Cell>
                  <Predefined />
                </Cell>
              )}
              <Cell span={12}>
                <Flag name="is_active" label="Active" />
              </Cell>
            </Grid>
          </Section>
          <Tabs
            label="Carrier"
            keep
            value={tab}
            onChange={(next) => setTab(next as TabId)}
            tabs={[
              {
                id: 'voice',
                label: 'Voice',
                wrong: wrongIn('voice', state.form.formState.errors),
                content: (
                  <Voice
                    readOnly={state.readOnly}
                    stored={sid !== undefined}
                    table={table}
                    onRemoveStored={(list, key) => removeStored(state, list, key)}
                  />
                ),
              },
              {
                id: 'sms',
                label: 'SMS',
                wrong: wrongIn('sms', state.form.formState.errors),
                content: (
                  <Sms readOnly={state.readOnly} onRemoveStored={(list, key) => removeStored(state, list, key)} />
                ),
              },
            ]}
          />
        </>
      )}
    </ResourceForm>
  )
}
