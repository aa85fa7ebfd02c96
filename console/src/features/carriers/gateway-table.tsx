import { isIdentifiedByAddress } from '@trunkline/contract/telephony/gateways'
import { Plus } from 'lucide-react'
import { useEffect, useImperativeHandle, type Ref } from 'react'
import { useFormContext, useWatch, type FieldPath } from 'react-hook-form'
import type { Faults } from '../../kit/form/form'
import { Button } from '../../ui/button'
import { Section } from '../../ui/form/section'
import { belongs, blankGateway, gatewayRowFaults, isComplete, type GatewayValues } from './gateways'
import { GatewayRow } from './gateway-row'
import css from './gateway-table.module.css'
import { useRows, type RemoveStored } from './use-gateway-rows'
import type { CarrierValues } from './values'

/** The methods that the form calls. */
export interface GatewayTableHandle {
  /** Shows server errors on the rows of any list. */
  refuse: (faults: Faults) => void
  /** Moves the focus to the Add button if there is no row. */
  focusAdd: () => void
}

type Path = FieldPath<CarrierValues>

const help = {
  address: 'Addresses that send inbound calls and receive outbound calls. Netmask 32 is a single address.',
  other: 'Addresses that receive outbound calls. Inbound calls are recognized by the trunk type, not by their address.',
}

interface GatewayTableProps {
  readOnly: boolean
  /** The gateways are stored: shows errors at once, for example a placeholder domain in a predefined carrier. */
  stored: boolean
  onRemoveStored: RemoveStored
  ref?: Ref<GatewayTableHandle>
}

/** The SIP gateways of a carrier. */
export const GatewayTable = ({ readOnly, stored, onRemoveStored, ref }: GatewayTableProps) => {
  const { control, getValues, setError } = useFormContext<CarrierValues>()
  const trunk = useWatch<CarrierValues, 'trunk_type'>({ name: 'trunk_type' })
  // gateways of another trunk type stay in the form until that type is selected again
  const waiting = useWatch({
    control,
    name: 'gateways',
    compute: (rows: GatewayValues[]) => rows.flatMap((row, at) => (belongs(row, trunk) ? [] : [at])),
  })
  const { fields, add, removeAt, recheck, error, addButton } = useRows('gateways', {
    label: 'SIP gateways',
    onRemoveStored,
    suffices: (rows) => isComplete(rows as GatewayValues[], trunk),
  })

  const shown = fields.flatMap((_, at) => (waiting.includes(at) ? [] : [at]))

  useEffect(() => {
    if (!stored || readOnly) return
    for (const [path, message] of Object.entries(gatewayRowFaults(getValues('gateways'), getValues('trunk_type'))))
      setError(path as Path, { type: 'rule', message })
  }, [stored, readOnly, getValues, setError])

  useImperativeHandle(ref, () => ({
    refuse: (faults) => {
      for (const [path, message] of Object.entries(faults)) setError(path as Path, { type: 'server', message })
    },
    focusAdd: () => addButton.current?.focus(),
  }))

  return (
    <Section
      title="SIP gateways"
      required={!readOnly && trunk !== 'auth'}
      help={isIdentifiedByAddress(trunk) ? help.address : help.other}
      error={error}
      actions={
        readOnly ? null : (
          <Button ref={addButton} size="sm" icon={Plus} onClick={() => add(blankGateway(trunk))}>
            Add SIP gateway
          </Button>
        )
      }
    >
      {shown.length > 0 ? (
        <div className={css.table}>
          <div className={css.head} aria-hidden="true">
            <span>Address</span>
            <span>Port</span>
            <span>Netmask</span>
            <span>Protocol</span>
            <span className={css.center}>Active</span>
            <span className={css.center}>Inbound</span>
            <span className={css.center}>Outbound</span>
          </div>
          {shown
            .filter((at) => at < fields.length)
            .map((at, place) => (
              <GatewayRow
                key={fields[at]?.id}
                at={at}
                number={place + 1}
                readOnly={readOnly}
                onChanged={() => recheck(at)}
                onRemove={() => void removeAt(at, shown)}
              />
            ))}
        </div>
      ) : null}
    </Section>
  )
}
