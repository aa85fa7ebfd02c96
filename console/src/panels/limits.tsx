import { limitUnits, type LimitUnit } from '@trunkline/contract/billing/limits'
import { messages } from '@trunkline/contract/messages/limit'
import type { Owner } from '@trunkline/contract/policy/actor'
import { getLimitKind } from '@trunkline/contract/policy/policy'
import { useState } from 'react'
import { useFormContext, useFormState, type FieldValues } from 'react-hook-form'
import { IntegerField } from '../fields/integer-field'
import { getFeatureFlags } from '../lib/feature-flags'
import { useActor, useCan } from '../session/session'
import { Select } from '../ui/form/select'
import { Cell, Grid } from '../ui/form/form-layout'
import { Section } from '../ui/form/section'
import type { LimitValues, EditableCategory } from './limit-values'

const units: { value: LimitUnit; label: string }[] = [
  { value: 'session', label: 'Session' },
  { value: 'minute', label: 'Minute' },
]

const getCategories = (unit: LimitUnit): EditableCategory[] => Object.values(limitUnits[unit])

/** The unit of the existing limits. */
const findUnit = (limits: LimitValues): LimitUnit =>
  getCategories('session').every((category) => limits[category] === null) &&
  getCategories('minute').some((category) => limits[category] !== null)
    ? 'minute'
    : 'session'

/** The selected unit. After a failed save, switches to the unit that has an invalid field. */
const useUnit = () => {
  const { getValues } = useFormContext<FieldValues>()
  const { errors, submitCount } = useFormState<FieldValues>()
  const [unit, setUnit] = useState(() => findUnit(getValues('limits') as LimitValues))
  const [checkedSubmitCount, setCheckedSubmitCount] = useState(submitCount)
  const limitErrors = (errors.limits ?? {}) as Partial<LimitValues>
  const hasError = (limitUnit: LimitUnit) => getCategories(limitUnit).some((category) => limitErrors[category])
  if (checkedSubmitCount !== submitCount) {
    setCheckedSubmitCount(submitCount)
    const otherUnit = unit === 'session' ? 'minute' : 'session'
    if (!hasError(unit) && hasError(otherUnit)) setUnit(otherUnit)
  }
  return [unit, setUnit] as const
}

const LimitField = ({ category, readOnly }: { category: EditableCategory; readOnly: boolean }) => (
  <Cell>
    <IntegerField
      name={`limits.${category}`}
      label={messages.labels[category]}
      placeholder={messages.quantity}
      readOnly={readOnly}
    />
  </Cell>
)

/** All four categories, two per unit. Users below administrators see only the license categories. */
const LimitsByUnit = ({ readOnly, showsOnlyLicensed }: { readOnly: boolean; showsOnlyLicensed: boolean }) => {
  const [unit, setUnit] = useUnit()
  const { limit, license } = limitUnits[unit]
  return (
    <>
      <Cell span={12}>
        <Grid>
          <Cell span={4}>
            <Select
              label="Unit"
              options={units}
              value={unit}
              onChange={(next) => setUnit(next === 'minute' ? 'minute' : 'session')}
            />
          </Cell>
        </Grid>
      </Cell>
      {showsOnlyLicensed ? null : <LimitField key={limit} category={limit} readOnly={readOnly} />}
      <LimitField key={license} category={license} readOnly={readOnly} />
    </>
  )
}

/**
 * The limits section in the form of an account or a service provider. The form stores them as `limits` (see
 * limit-values). With the feature flag `allLimits`, only administrators set limits, and service providers have none.
 */
export const Limits = ({ owner }: { owner: Owner }) => {
  const actor = useActor()
  const can = useCan()
  const { allLimits } = getFeatureFlags()
  if (allLimits && owner.account_sid === null) return null
  const readOnly = !can('create', getLimitKind(allLimits), owner)
  return (
    <Section title="Limits" help={readOnly ? 'Empty or 0 means no limit.' : 'Leave empty or enter 0 for no limit.'}>
      <Grid>
        {allLimits ? (
          <LimitsByUnit readOnly={readOnly} showsOnlyLicensed={actor.scope !== 'admin'} />
        ) : (
          <LimitField category="voice_call_session" readOnly={readOnly} />
        )}
      </Grid>
    </Section>
  )
}
