import { messages } from '@trunkline/contract/messages/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/choice-field'
import { FlagField } from '../../fields/flag-field'
import { AccountField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import type { FormState } from '../../kit/form/form-props'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { RoutesTable, type RoutesTableProps } from './routes-table'
import { useTried } from './matching-route'
import { usable, usableBy, withoutUnusable, type RouteValues, type TableValues, type WholeTable } from './values'

type State = FormState<WholeTable, TableValues>

/** The account that uses the LCR. Administrators choose it at creation; account users do not see it. */
const UsedBy = ({ state, carriers }: { state: State; carriers: readonly VoipCarrier[] }) => {
  const actor = useActor()
  const { form, adding } = state
  if (actor.scope === 'account') return null
  const follow = (account_sid: string | null) => {
    const mine = usableBy(account_sid, carriers)
    const ours = (sid: string | null) => (sid !== null && mine.has(sid) ? sid : null)
    const usableOf = <Route extends Pick<RouteValues, 'entries'>>(route: Route): Route => ({
      ...route,
      entries: withoutUnusable(route.entries, mine),
    })
    const { routes, rest, default_voip_carrier_sid } = form.getValues()
    const change = { shouldDirty: true }
    form.setValue('default_voip_carrier_sid', ours(default_voip_carrier_sid), change)
    form.setValue('rest', usableOf(rest), change)
    form.setValue(
      'routes',
      routes.map((row) => ({ ...usableOf(row), voip_carrier_sid: ours(row.voip_carrier_sid) })),
      change,
    )
  }
  return (
    <Cell>
      <AccountField
        name="account_sid"
        label="Used by"
        none="All accounts"
        readOnly={!adding || actor.scope !== 'admin'}
        onPick={follow}
      />
    </Cell>
  )
}

/** The carrier's name, with the reason if it takes no outbound calls. Not every server counts the gateways. */
const labelOf = ({ name, is_active, outbound_gateways }: VoipCarrier) => {
  if (!is_active) return messages.inactiveCarrier(name)
  return outbound_gateways === 0 ? messages.noOutboundGateway(name) : name
}

/**
 * The carriers that the LCR's owner may use, and those already in the form. Returns the same array as long as its
 * content is the same.
 */
const useOffered = (carriers: readonly VoipCarrier[]) => {
  const { account_sid, default_voip_carrier_sid, routes } = useWatch<TableValues>() as TableValues
  const held = [...new Set([default_voip_carrier_sid, ...routes.map((row) => row.voip_carrier_sid)])].sort().join(' ')
  return useMemo(
    () =>
      carriers
        .filter((carrier) => usable(carrier, account_sid) || held.split(' ').includes(carrier.voip_carrier_sid))
        .map((carrier) => ({ value: carrier.voip_carrier_sid, label: labelOf(carrier) }))
        .toSorted((one, other) => one.label.localeCompare(other.label)),
    [carriers, account_sid, held],
  )
}

export interface RoutingFieldsProps extends Pick<RoutesTableProps, 'wrong' | 'onRemoveStored'> {
  state: State
  /** The number in the "Test a number" field. */
  number: string
  /** All carriers. */
  carriers: readonly VoipCarrier[]
}

/** The fields of an LCR and its routes. */
export const RoutingFields = ({ state, carriers, number, ...table }: RoutingFieldsProps) => {
  const { hit } = useTried(number)
  const options = useOffered(carriers)
  const chosen = useWatch<TableValues, 'default_voip_carrier_sid'>({ name: 'default_voip_carrier_sid' })
  return (
    <>
      <Section>
        <Grid>
          <Cell>
            <FormTextField name="name" label="Name" required maxLength={64} />
          </Cell>
          <Cell>
            <SelectField
              name="default_voip_carrier_sid"
              label="Default outbound carrier"
              required
              options={options}
              placeholder="Choose carrier"
            />
          </Cell>
          <UsedBy state={state} carriers={carriers} />
          <Cell span={12}>
            <FlagField name="is_active" label="Active" />
          </Cell>
        </Grid>
      </Section>
      <RoutesTable
        {...table}
        hit={hit}
        carriers={options}
        rest={options.find(({ value }) => value === chosen)?.label}
        readOnly={state.readOnly}
      />
    </>
  )
}
