import { useEffect, useRef } from 'react'
import { useFieldArray, useFormContext, type FieldPath } from 'react-hook-form'
import { useRegisterField } from '../../fields/field-registry'
import { flattenErrors } from '../../kit/form/resolver'
import { isStoredKey } from './gateway-row-values'
import type { CarrierValues, GatewayListName } from './values'

type Path = FieldPath<CarrierValues>

/** Deletes a stored gateway; returns false if it still exists. */
export type RemoveStoredGateway = (list: GatewayListName, key: string) => Promise<boolean>

export interface GatewayRowsOptions {
  label: string
  onRemoveStored: RemoveStoredGateway
  /** Returns whether these rows of the list are enough for the carrier. */
  hasEnoughRows: (rows: CarrierValues[GatewayListName]) => boolean
}

/** The other rows are validated once typing pauses: validation renders the whole form, which would delay each key. */
const validationDelayMs = 200

/** Manages one gateway list of the carrier form: adds and removes rows, moves the focus and validates. */
export const useGatewayRows = (name: GatewayListName, { label, onRemoveStored, hasEnoughRows }: GatewayRowsOptions) => {
  const { control, formState, getValues, setFocus, trigger } = useFormContext<CarrierValues>()
  const { fields, append, remove } = useFieldArray({ control, name, keyName: 'id' })
  const addButton = useRef<HTMLButtonElement>(null)
  const validationTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(validationTimer.current), [])
  useRegisterField(name, label)
  useRegisterField(`${name}.root`, label)

  // read during render, because the form library tracks only the state that is read
  const { errors, touchedFields, isSubmitted } = formState
  const listError = errors[name]

  return {
    fields,
    addButton,
    /** The error of the list as a whole. */
    error: listError?.root?.message ?? (typeof listError?.message === 'string' ? listError.message : undefined),

    add: (row: CarrierValues[GatewayListName][number]) => append(row, { focusName: `${name}.${fields.length}.ipv4` }),

    /**
     * Removes a row and moves the focus to the next visible one, or to the Add button. A stored gateway is deleted at
     * once, unless the carrier needs it: then it is deleted when its replacement is saved.
     */
    removeAt: async (removedIndex: number, visibleIndexes: number[] = fields.map((_, index) => index)) => {
      const rows: CarrierValues[GatewayListName] = getValues(name)
      const key = rows[removedIndex]?.key ?? ''
      const otherRows = rows.filter((row) => row.key !== key && isStoredKey(row.key)) as CarrierValues[GatewayListName]
      const isInBothLists = getValues('smppInbound').some((row) => row.key === `inbound ${key}`)
      if (isStoredKey(key) && !isInBothLists && hasEnoughRows(otherRows) && !(await onRemoveStored(name, key))) return
      // the deletion may have reset the form without the row
      const currentIndex = getValues(name).findIndex((row) => row.key === key)
      if (currentIndex >= 0) remove(currentIndex)
      const remainingIndexes = visibleIndexes
        .filter((index) => index !== removedIndex)
        .map((index) => (index > removedIndex ? index - 1 : index))
      const nextIndex = remainingIndexes.find((index) => index >= removedIndex) ?? remainingIndexes.at(-1)
      setTimeout(() => (nextIndex === undefined ? addButton.current?.focus() : setFocus(`${name}.${nextIndex}.ipv4`)))
    },

    /** Validates again soon after a change, because a change in one row can fix or break another. */
    revalidate: (index: number) => {
      const pathsWithErrors = Object.keys(flattenErrors({ [name]: listError ?? {} })) as Path[]
      const isTouched = isSubmitted || touchedFields[name]?.[index]?.ipv4
      const pathsToCheck: Path[] = isTouched ? [...pathsWithErrors, `${name}.${index}.ipv4`] : pathsWithErrors
      clearTimeout(validationTimer.current)
      if (pathsToCheck.length > 0)
        validationTimer.current = setTimeout(() => void trigger(pathsToCheck), validationDelayMs)
    },
  }
}
