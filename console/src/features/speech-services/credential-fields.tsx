import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { isRequired } from '@trunkline/contract/speech/credential'
import type { Direction, Field, Vendor } from '@trunkline/contract/speech/vendor'
import { useFormContext } from 'react-hook-form'
import { FlagField } from '../../fields/flag-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Link } from '../../ui/link'
import { Section } from '../../ui/form/section'
import css from './credential-fields.module.css'
import { directionFlags, trimValues, listShownFields, listSecretNamesToReenter, type ServiceValues } from './values'
import { getFieldSpan, useHasValue, useSuggestions, VendorField } from './vendor-field'

interface CredentialFieldsProps {
  vendor: Vendor
  /** The stored service; undefined for a new one. */
  storedService: SpeechCredential | undefined
  values: ServiceValues
}

const FieldCells = ({
  fields,
  vendor,
  storedService,
  values,
  isFullWidth,
}: CredentialFieldsProps & { fields: Field[]; isFullWidth?: boolean }) => {
  const secretsToEnter = listSecretNamesToReenter(values, storedService)
  return (
    <>
      {fields.map((field) => (
        <Cell key={`${vendor.vendor}.${field.name}.${field.label}`} span={isFullWidth ? 12 : getFieldSpan(field)}>
          <VendorField
            vendor={vendor}
            field={field}
            isStored={storedService !== undefined}
            mustReenter={secretsToEnter.includes(field.name)}
            required={isRequired(field, trimValues(values))}
          />
        </Cell>
      ))}
    </>
  )
}

const directionTexts = {
  synthesis: { name: 'Text-to-speech', flagLabel: 'Use for text-to-speech' },
  recognition: { name: 'Speech-to-text', flagLabel: 'Use for speech-to-text' },
} as const

/** One direction: whether it is enabled, and the fields that only it needs. */
const DirectionBox = ({ direction, ...fieldProps }: CredentialFieldsProps & { direction: Direction }) => {
  const directionFields = listShownFields(fieldProps.vendor, fieldProps.values).filter(
    (field) => field.direction === direction && !field.section,
  )
  return (
    <div className={css.direction} role="group" aria-label={directionTexts[direction].name}>
      <Grid>
        <Cell span={12}>
          <FlagField name={directionFlags[direction]} label={directionTexts[direction].flagLabel} />
        </Cell>
        <FieldCells {...fieldProps} fields={directionFields} isFullWidth />
      </Grid>
    </div>
  )
}

/** A section of rarely used fields, which is closed while they are empty. */
const CollapsibleSection = ({
  title,
  fields,
  ...fieldProps
}: CredentialFieldsProps & { title: string; fields: Field[] }) => {
  const { formState } = useFormContext()
  const fillSuggestions = useSuggestions(fields)
  const hasErrors = fields.some(({ name }) => name in formState.errors)
  return (
    <Section
      title={title}
      collapsible
      hasContent={useHasValue(fields)}
      hasError={hasErrors}
      summary="Not used"
      onOpen={fillSuggestions}
    >
      <Grid>
        <FieldCells {...fieldProps} fields={fields} />
      </Grid>
    </Section>
  )
}

/** The credential fields of a vendor, as the contract's description of the vendor defines them. */
export const CredentialFields = ({ vendor, storedService, values }: CredentialFieldsProps) => {
  const fieldProps = { vendor, storedService, values }
  const visibleFields = listShownFields(vendor, values)
  const commonFields = visibleFields.filter((field) => !field.direction && !field.section)
  const sections = [...new Set(visibleFields.flatMap(({ section }) => section ?? []))]
  const directions = (['synthesis', 'recognition'] as const).filter((direction) => vendor[direction] !== null)
  return (
    <>
      <Section
        title="Use and credentials"
        help={
          <>
            {directions.length > 1 ? 'Text-to-speech and speech-to-text are tested separately. ' : null}
            {vendor.page ? (
              <>
                Keys and access:{' '}
                <Link href={vendor.page.url} isExternal>
                  {vendor.page.name}
                </Link>
              </>
            ) : null}
          </>
        }
      >
        <div className={css.fields}>
          {commonFields.length > 0 ? (
            <Grid>
              <FieldCells {...fieldProps} fields={commonFields} />
            </Grid>
          ) : null}
          <Grid>
            {directions.map((direction) => (
              <Cell key={direction}>
                <DirectionBox {...fieldProps} direction={direction} />
              </Cell>
            ))}
          </Grid>
        </div>
      </Section>
      {sections.map((title) => (
        <CollapsibleSection
          key={`${vendor.vendor}.${title}`}
          {...fieldProps}
          title={title}
          fields={visibleFields.filter(({ section }) => section === title)}
        />
      ))}
    </>
  )
}
