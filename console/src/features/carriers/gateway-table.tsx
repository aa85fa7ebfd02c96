import { Plus } from 'lucide-react'
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import { useFieldArray, useFormContext, type FieldPath } from 'react-hook-form'
import { useFact } from '../../fields/form-facts'
import type { Faults } from '../../kit/form'
import { pathsOf } from '../../kit/resolve'
import { Button } from '../../ui/button'
import { Section } from '../../ui/section'
import { blankGateway, gatewayRowFaults } from './gateways'
import { GatewayRow } from './gateway-row'
import css from './gateway-table.module.css'
import type { CarrierValues } from './values'

/** What the form asks of the table. */
export interface GatewayTableHandle {
  /** Shows what the server said against rows. */
  refuse: (faults: Faults) => void
  /** There is no row that could take the focus. */
  focusAdd: () => void
}

type Path = FieldPath<CarrierValues>

const label = 'SIP gateways'

interface GatewayTableProps {
  readOnly: boolean
  /** The gateways come from the server: a wrong one is shown at once, as a predefined one that wants one's own domain. */
  stored: boolean
  ref?: Ref<GatewayTableHandle>
}

/** The SIP gateways of a carrier. */
export const GatewayTable = ({ readOnly, stored, ref }: GatewayTableProps) => {
  const { control, formState, getValues, setError, trigger, setFocus } = useFormContext<CarrierValues>()
  const { fields, append, remove } = useFieldArray({ control, name: 'gateways', keyName: 'id' })
  const add = useRef<HTMLButtonElement>(null)
  useFact('gateways', label)
  useFact('gateways.root', label)

  useEffect(() => {
    if (!stored || readOnly) return
    for (const [path, message] of Object.entries(gatewayRowFaults(getValues('gateways'))))
      setError(path as Path, { type: 'rule', message })
  }, [stored, readOnly, getValues, setError])

  useImperativeHandle(ref, () => ({
    refuse: (faults) => {
      for (const [path, message] of Object.entries(faults)) setError(path as Path, { type: 'server', message })
    },
    focusAdd: () => add.current?.focus(),
  }))

  // read while drawing, or the form library does not keep them
  const { errors, touchedFields, isSubmitted } = formState

  /** A change in one row can right another, or put its own address in the wrong. */
  const recheck = (at: number) => {
    const wrong = Object.keys(pathsOf({ gateways: errors.gateways ?? {} })) as Path[]
    const seen = isSubmitted || touchedFields.gateways?.[at]?.ipv4
    const looked: Path[] = seen ? [...wrong, `gateways.${at}.ipv4`] : wrong
    if (looked.length > 0) void trigger(looked)
  }

  const wrong = errors.gateways
  const none = wrong?.root?.message ?? (typeof wrong?.message === 'string' ? wrong.message : undefined)
  return (
    <Section
      title={label}
      required={!readOnly}
      help="Addresses that send calls in and take calls out. Netmask 32 is a single address."
      error={fields.length === 0 ? none : undefined}
      actions={
        readOnly ? null : (
          <Button
            ref={add}
            size="sm"
            icon={Plus}
            onClick={() => append(blankGateway(), { focusName: `gateways.${fields.length}.ipv4` })}
          >
            Add SIP gateway
          </Button>
        )
      }
    >
      {fields.length > 0 ? (
        <div className={css.table}>
          <div className={css.head} aria-hidden="true">
            <span>Address</span>
            <span>Port</span>
            <span>Netmask</span>
            <span>Protocol</span>
            <span>Active</span>
            <span>Inbound</span>
            <span>Outbound</span>
          </div>
          {fields.map((field, at) => (
            <GatewayRow
              key={field.id}
              at={at}
              readOnly={readOnly}
              onChanged={() => recheck(at)}
              onRemove={() => {
                remove(at)
                const next = Math.min(at, fields.length - 2)
                setTimeout(() => (next < 0 ? add.current?.focus() : setFocus(`gateways.${next}.ipv4`)))
              }}
            />
          ))}
        </div>
      ) : null}
    </Section>
  )
}
