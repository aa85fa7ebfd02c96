import { Plus } from 'lucide-react'
import { useEffect, useImperativeHandle, type Ref } from 'react'
import { useFormContext, useWatch, type FieldPath } from 'react-hook-form'
import type { FieldErrors } from '../../kit/form/form'
import { Button } from '../../ui/button'
import { Section } from '../../ui/form/section'
import {
  isUsedByTrunk,
  createEmptyGateway,
  findGatewayRowErrors,
  hasEnoughGateways,
  type GatewayValues,
} from './gateways'
import { GatewayRow } from './gateway-row'
import css from './gateway-table.module.css'
import { useGatewayRows, type RemoveStoredGateway } from './use-gateway-rows'
import type { CarrierValues } from './values'

/** The methods that the form calls. */
export interface GatewayTableHandle {
  /** Shows server errors on the rows of all gateway lists. */
  showErrors: (errors: FieldErrors) => void
  /** Moves the focus to the Add button. */
  focusAddButton: () => void
}

type Path = FieldPath<CarrierValues>

const helpTexts: Partial<Record<string, string>> & Record<'static_ip', string> = {
  static_ip: 'Addresses that send inbound calls and receive outbound calls. Netmask 32 is a single address.',
  auth: 'Addresses that receive outbound calls. Inbound calls are identified by their credentials, not by their address.',
  reg: 'Addresses that receive outbound calls. Inbound calls are identified by the registration, not by their address.',
}

interface GatewayTableProps {
  readOnly: boolean
  /** The carrier is stored: its errors are shown at once, for example the placeholder domain of a predefined carrier. */
  isStored: boolean
  onRemoveStored: RemoveStoredGateway
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
  const { fields, add, removeAt, revalidate, error, addButton } = useGatewayRows('gateways', {
    label: 'SIP gateways',
    onRemoveStored,
    hasEnoughRows: (rows) => hasEnoughGateways(rows as GatewayValues[], trunkType),
  })

  const visibleIndexes = fields.flatMap((_, index) => (unusedIndexes.includes(index) ? [] : [index]))

  useEffect(() => {
    if (!isStored || readOnly) return
    for (const [path, message] of Object.entries(findGatewayRowErrors(getValues('gateways'), getValues('trunk_type'))))
      setError(path as Path, { type: 'rule', message })
  }, [isStored, readOnly, getValues, setError])

  useImperativeHandle(ref, () => ({
    showErrors: (errors) => {
      for (const [path, message] of Object.entries(errors)) setError(path as Path, { type: 'server', message })
    },
    focusAddButton: () => addButton.current?.focus(),
  }))

  return (
    <Section
      isWide
      title="SIP gateways"
      required={!readOnly && trunkType !== 'auth'}
      help={helpTexts[trunkType] ?? helpTexts.static_ip}
      error={error}
      actions={
        readOnly ? null : (
          <Button ref={addButton} size="sm" icon={Plus} onClick={() => add(createEmptyGateway(trunkType))}>
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
                onChanged={() => revalidate(index)}
                onRemove={() => void removeAt(index, visibleIndexes)}
              />
            ))}
        </div>
      ) : null}
    </Section>
  )
}
