import { messages } from '@trunkline/contract/messages/lcr-route'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { FlagField } from '../../fields/flag-field'
import { AccountField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { RoutesTable, type RoutesTableProps } from './routes-table'
import { useMatchingRoute } from './matching-route'
import type { LcrFormState } from './use-lcr-storage'
import { isCarrierUsable, listUsableCarrierSids, dropUnusableEntries, type RouteValues, type LcrValues } from './values'

/** The account that uses the LCR. Administrators choose it at creation; account users do not see it. */
const UsedByField = ({ state, carriers }: { state: LcrFormState; carriers: readonly VoipCarrier[] }) => {
  const actor = useActor()
  const { form, isNew } = state
  if (actor.scope === 'account') return null
  const applyAccount = (account_sid: string | null) => {
    const usableSids = listUsableCarrierSids(account_sid, carriers)
    const keepIfUsable = (sid: string | null) => (sid !== null && usableSids.has(sid) ? sid : null)
    const keepUsableEntries = <Route extends Pick<RouteValues, 'entries'>>(route: Route): Route => ({
      ...route,
      entries: dropUnusableEntries(route.entries, usableSids),
    })
    const { routes, storedDefaultRoute, default_voip_carrier_sid } = form.getValues()
    const setValueOptions = { shouldDirty: true }
    form.setValue('default_voip_carrier_sid', keepIfUsable(default_voip_carrier_sid), setValueOptions)
    form.setValue('storedDefaultRoute', keepUsableEntries(storedDefaultRoute), setValueOptions)
    form.setValue(
      'routes',
      routes.map((row) => ({ ...keepUsableEntries(row), voip_carrier_sid: keepIfUsable(row.voip_carrier_sid) })),
      setValueOptions,
    )
  }
  return (
    <Cell>
      <AccountField
        name="account_sid"
        label="Used by"
        noneLabel="All accounts"
        readOnly={!isNew || actor.scope !== 'admin'}
        onSelect={applyAccount}
      />
    </Cell>
  )
}

/** The carrier's name, with the reason if it cannot take outbound calls. Some servers do not count the gateways. */
const formatCarrierLabel = ({ name, is_active, outbound_gateways }: VoipCarrier) => {
  if (!is_active) return messages.inactiveCarrier(name)
  return outbound_gateways === 0 ? messages.noOutboundGateway(name) : name
}

/**
 * The carriers that the LCR's owner may use, and those already in the form. Returns the same array as long as its
 * content is the same.
 */
const useCarrierOptions = (carriers: readonly VoipCarrier[]) => {
  const { account_sid, default_voip_carrier_sid, routes } = useWatch<LcrValues>() as LcrValues
  const selectedSids = [...new Set([default_voip_carrier_sid, ...routes.map((row) => row.voip_carrier_sid)])]
    .sort()
    .join(' ')
  return useMemo(
    () =>
      carriers
        .filter(
          (carrier) =>
            isCarrierUsable(carrier, account_sid) || selectedSids.split(' ').includes(carrier.voip_carrier_sid),
        )
        .map((carrier) => ({ value: carrier.voip_carrier_sid, label: formatCarrierLabel(carrier) }))
        .toSorted((a, b) => a.label.localeCompare(b.label)),
    [carriers, account_sid, selectedSids],
  )
}

export interface LcrFieldsProps extends Pick<RoutesTableProps, 'firstInvalid' | 'onRemoveStored'> {
  state: LcrFormState
  /** The number in the "Test a number" field. */
  testNumber: string
  /** All carriers. */
  carriers: readonly VoipCarrier[]
}

/** The fields of an LCR and its routes. */
export const LcrFields = ({ state, carriers, testNumber, ...tableProps }: LcrFieldsProps) => {
  const { matchingRoute } = useMatchingRoute(testNumber)
  const options = useCarrierOptions(carriers)
  const defaultCarrierSid = useWatch<LcrValues, 'default_voip_carrier_sid'>({ name: 'default_voip_carrier_sid' })
  return (
    <>
      <Section title="General">
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
          <UsedByField state={state} carriers={carriers} />
          <Cell span={12}>
            <FlagField name="is_active" label="Active" />
          </Cell>
        </Grid>
      </Section>
      <RoutesTable
        {...tableProps}
        matchingRoute={matchingRoute}
        carrierOptions={options}
        defaultCarrierName={options.find(({ value }) => value === defaultCarrierSid)?.label}
        readOnly={state.readOnly}
      />
    </>
  )
}
