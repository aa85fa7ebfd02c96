import { useRef } from 'react'
import { useFieldArray, useFormContext, type FieldPath } from 'react-hook-form'
import { useFact } from '../../fields/form-facts'
import { pathsOf } from '../../kit/form/resolver'
import { isStored } from './gateway-row-keys'
import type { CarrierValues } from './values'

type Path = FieldPath<CarrierValues>

/** The gateway lists of the form. */
export type ListName = 'gateways' | 'smppOutbound' | 'smppInbound'

/** Deletes a stored gateway; returns false if it still exists. */
export type RemoveStored = (list: ListName, key: string) => Promise<boolean>

export interface RowsOptions {
  label: string
  onRemoveStored: RemoveStored
  /** Returns whether the carrier is complete with these rows only. */
  suffices: (rows: CarrierValues[ListName]) => boolean
}

/** Manages one gateway list of the carrier form: adds and removes rows, moves the focus and validates. */
export const useRows = (name: ListName, { label, onRemoveStored, suffices }: RowsOptions) => {
  const { control, formState, getValues, setFocus, trigger } = useFormContext<CarrierValues>()
  const { fields, append, remove } = useFieldArray({ control, name, keyName: 'id' })
  const addButton = useRef<HTMLButtonElement>(null)
  useFact(name, label)
  useFact(`${name}.root`, label)

  // read during render, because the form library tracks only the state that is read
  const { errors, touchedFields, isSubmitted } = formState
  const wrong = errors[name]

  return {
    fields,
    addButton,
    /** The error of the list as a whole. */
    error: wrong?.root?.message ?? (typeof wrong?.message === 'string' ? wrong.message : undefined),

    add: (row: CarrierValues[ListName][number]) => append(row, { focusName: `${name}.${fields.length}.ipv4` }),

    /**
     * Removes a row and moves the focus to the next visible one, or to the Add button. A stored gateway is deleted at
     * once, unless the carrier needs it: then it is deleted when its replacement is saved.
     */
    removeAt: async (at: number, shown: number[] = fields.map((_, each) => each)) => {
      const rows: CarrierValues[ListName] = getValues(name)
      const key = rows[at]?.key ?? ''
      const others = rows.filter((row) => row.key !== key && isStored(row.key)) as CarrierValues[ListName]
      const both = Object.values(getValues(['smppInbound']))
        .flat()
        .some((row) => row.key === `inbound ${key}`)
      if (isStored(key) && !both && suffices(others) && !(await onRemoveStored(name, key))) return
      // the deletion may have reset the form without the row
      const now = getValues(name).findIndex((row) => row.key === key)
      if (now >= 0) remove(now)
      const rest = shown.filter((each) => each !== at).map((each) => (each > at ? each - 1 : each))
      const next = rest.find((each) => each >= at) ?? rest.at(-1)
      setTimeout(() => (next === undefined ? addButton.current?.focus() : setFocus(`${name}.${next}.ipv4`)))
    },

    /** Validates again after a change, because a change in one row can fix or break another. */
    recheck: (at: number) => {
      const before = Object.keys(pathsOf({ [name]: wrong ?? {} })) as Path[]
      const seen = isSubmitted || touchedFields[name]?.[at]?.ipv4
      const looked: Path[] = seen ? [...before, `${name}.${at}.ipv4`] : before
      if (looked.length > 0) void trigger(looked)
    },
  }
}
