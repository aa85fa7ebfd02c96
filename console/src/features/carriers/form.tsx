import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/carrier'
import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { create, update, type VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { useRef, useState } from 'react'
import { Flag } from '../../fields/flag'
import { Text } from '../../fields/text'
import { ResourceForm } from '../../kit/form'
import { refreshAfter } from '../../kit/record'
import { RemoveButton } from '../../kit/remove-button'
import { pathsOf } from '../../kit/resolve'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form-layout'
import { Section } from '../../ui/section'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import { Beside } from './beside'
import { carrierCalls, wholeCarrier } from './calls'
import type { GatewayTableHandle } from './gateway-table'
import { Predefined } from './predefined'
import { removal } from './removal'
import { GatewaysRefused, makeSaver } from './saver'
import { carrierFaults, carrierSent, carrierValues, type CarrierValues, type WholeCarrier } from './values'
import { Voice } from './voice'

/** How many wrong fields are in the tab: all but those above it. */
const wrongInVoice = (errors: object) => Object.keys(pathsOf(errors)).filter((path) => path !== 'name').length

/** A carrier with its SIP gateways: one Save for all of it. */
export const CarrierForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const cache = useQueryClient()
  const [home] = useState({ service_provider_sid })
  const [saver] = useState(() => makeSaver(carrierCalls(actor, home)))
  const [begun, setBegun] = useState(sid !== undefined)
  const table = useRef<GatewayTableHandle>(null)
  const own = actor.scope === 'account' ? actor.account_sid : null

  const read = async (asked: string, signal: AbortSignal) => {
    const found = await wholeCarrier(actor, asked, signal)
    saver.knows(found.gateways)
    home.service_provider_sid = found.service_provider_sid ?? service_provider_sid
    return found
  }

  const save = async (body: unknown, values: CarrierValues) => {
    try {
      const { sid: saved, removed } = await saver.save(sid, body, values.gateways)
      if (removed > 0) toast.ok(messages.gatewayRemoved)
      return saved
    } catch (error) {
      void refreshAfter(cache, 'voip_carrier')
      if (!(error instanceof GatewaysRefused)) throw error
      // the carrier is there: it is no longer to be made from a predefined one
      setBegun(true)
      toast.bad(messages.gatewaysLeft)
      table.current?.refuse(error.faults)
      const [[field, msg] = ['', '']] = Object.entries(error.faults)
      throw new Problem(400, { msg, field })
    }
  }

  return (
    <ResourceForm<VoipCarrier, CarrierValues, WholeCarrier>
      of={voipCarrier}
      sid={sid}
      title={{ add: 'Add carrier', edit: 'Edit carrier' }}
      read={read}
      values={(row) => carrierValues(row, own)}
      body={carrierSent}
      schema={sid ? update : create}
      rules={carrierFaults}
      save={(body, { values }) => save(body, values)}
      added={messages.added}
      saved={messages.saved}
      after={(_saved, adding) => (adding ? paths.carriers.list : undefined)}
      cancel={paths.carriers.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton {...removal(service_provider_sid)} of={voipCarrier} row={record} to={paths.carriers.list} />
        ) : null
      }
      onWrong={(wrong) => {
        if (wrong.includes('gateways')) table.current?.focusAdd()
      }}
      aside={({ form, record }) => <Beside row={record} account_sid={form.watch('account_sid')} />}
    >
      {({ form, readOnly }) => (
        <>
          <Section>
            <Grid>
              {begun ? null : (
                <Cell span={12}>
                  <Predefined />
                </Cell>
              )}
              <Cell span={10}>
                <Text name="name" label="Carrier name" required maxLength={64} />
              </Cell>
              <Cell span={2} level>
                <Flag name="is_active" label="Active" />
              </Cell>
            </Grid>
          </Section>
          <Tabs
            label="Carrier"
            keep
            value="voice"
            onChange={() => undefined}
            tabs={[
              {
                id: 'voice',
                label: 'Voice',
                wrong: wrongInVoice(form.formState.errors),
                content: <Voice readOnly={readOnly} stored={sid !== undefined} table={table} />,
              },
            ]}
          />
        </>
      )}
    </ResourceForm>
  )
}
