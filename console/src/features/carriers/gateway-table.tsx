import { isIdentifiedByAddress } from '@trunkline/contract/telephony/gateways'
import { Plus } from 'lucide-react'
import { useEffect, useImperativeHandle, type Ref } from 'react'
import { useFormContext, useWatch, type FieldPath } from 'react-hook-form'
import type { FieldErrors } from '../../kit/form/form'
import { Button } from '../../ui/button'
import { Section } from '../../ui/form/section'
import { isUsedByTrunk, newGateway, gatewayRowErrors, hasEnoughGateways, type GatewayValues } from './gateways'
import { GatewayRow } from './gateway-row'
import css from './gateway-table.module.css'
import { useGatewayRows, type RemoveStored } from './use-gateway-rows'
import type { CarrierValues } from './values'

/** The methods that the form calls. */
export interface GatewayTableHandle {
  /** Shows server errors on the rows of any list. */
  showErrors: (faults: FieldErrors) => void
  /** Moves the focus to the Add button if there is no row. */
  focusAdd: () => void
}

type Path = FieldPath<CarrierValues>

const helpTexts = {
  address: 'Addresses that send inbound calls and receive outbound calls. Netmask 32 is a single address.',
  other: 'Addresses that receive outbound calls. Inbound calls are recognized by the trunk type, not by their address.',
}

interface GatewayTableProps {
  readOnly: boolean
  /** The gateways are stored: shows errors at once, for example a placeholder domain in a predefined carrier. */
  isStored: boolean
  onRemoveStored: RemoveStored
  ref?: Ref<GatewayTableHandle>
}

/** The SIP gateways of a carrier. */
export const GatewayTable = ({ readOnly, isStored, onRemoveStored, ref }: GatewayTableProps) => {
  const { control, getValues, setError } = useFormContext<CarrierValues>()
  const trunkType = useWatch<CarrierValues, 'trunk_type'>({ name: 'trunk_type' })
  // gateways of another trunk type stay in the form until that type is selected again
  const unusedIndexes = useWatch({
    control,
    name: 'gateways',
    compute: (rows: GatewayValues[]) => rows.flatMap((row, index) => (isUsedByTrunk(row, trunkType) ? [] : [index])),
  })
  const { fields, add, removeAt, validateAgain, error, addButton } = useGatewayRows('gateways', {
    label: 'SIP gateways',
    onRemoveStored,
    areEnough: (rows) => hasEnoughGateways(rows as GatewayValues[], trunkType),
  })

  const visibleIndexes = fields.flatMap((_, index) => (unusedIndexes.includes(index) ? [] : [index]))

  useEffect(() => {
    if (!isStored || readOnly) return
    for (const [path, message] of Object.entries(gatewayRowErrors(getValues('gateways'), getValues('trunk_type'))))
      setError(path as Path, { type: 'rule', message })
  }, [isStored, readOnly, getValues, setError])

  useImperativeHandle(ref, () => ({
    showErrors: (faults) => {
      for (const [path, message] of Object.entries(faults)) setError(path as Path, { type: 'server', message })
    },
    focusAdd: () => addButton.current?.focus(),
  }))

  return (
    <Section
      title="SIP gateways"
      required={!readOnly && trunkType !== 'auth'}
      help={isIdentifiedByAddress(trunkType) ? helpTexts.address : helpTexts.other}
      error={error}
      actions={
        readOnly ? null : (
          <Button ref={addButton} size="sm" icon={Plus} onClick={() => add(newGateway(trunkType))}>
            Add SIP gateway
          </Button>
        )
      }
    >
      {visibleIndexes.length > 0 ? (
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
          {visibleIndexes
            .filter((index) => index < fields.length)
            .map((index, position) => (
              <GatewayRow
                key={fields[index]?.id}
                index={index}
                number={position + 1}
                readOnly={readOnly}
                onChanged={() => validateAgain(index)}
                onRemove={() => void removeAt(index, visibleIndexes)}
              />
            ))}
        </div>
      ) : null}
    </Section>
  )
}
