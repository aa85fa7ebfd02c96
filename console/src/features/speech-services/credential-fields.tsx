import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { isRequired } from '@trunkline/contract/speech/credential'
import type { Direction, Field, Vendor } from '@trunkline/contract/speech/vendor'
import { useFormContext } from 'react-hook-form'
import { FlagField } from '../../fields/flag-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Link } from '../../ui/link'
import { Section } from '../../ui/form/section'
import css from './credential-fields.module.css'
import { directionFlag, givenOf, shownFields, wantedSecrets, type ServiceValues } from './values'
import { spanOf, useFilled, useSuggestions, VendorField } from './vendor-field'

interface PartProps {
  vendor: Vendor
  /** The stored service; undefined for a new one. */
  saved: SpeechCredential | undefined
  values: ServiceValues
}

const Fields = ({ fields, vendor, saved, values, whole }: PartProps & { fields: Field[]; whole?: boolean }) => {
  const wanted = wantedSecrets(values, saved)
  return (
    <>
      {fields.map((field) => (
        <Cell key={`${vendor.vendor}.${field.name}.${field.label}`} span={whole ? 12 : spanOf(field)}>
          <VendorField
            vendor={vendor}
            field={field}
            saved={saved !== undefined}
            wanted={wanted.includes(field.name)}
            required={isRequired(field, givenOf(values))}
          />
        </Cell>
      ))}
    </>
  )
}

const words = {
  synthesis: { name: 'Text-to-speech', use: 'Use for text-to-speech' },
  recognition: { name: 'Speech-to-text', use: 'Use for speech-to-text' },
} as const

/** One direction: whether it is enabled, and the fields that only it needs. */
const Use = ({ direction, ...part }: PartProps & { direction: Direction }) => {
  const own = shownFields(part.vendor, part.values).filter((field) => field.direction === direction && !field.section)
  return (
    <div className={css.use} role="group" aria-label={words[direction].name}>
      <Grid>
        <Cell span={12}>
          <FlagField name={directionFlag[direction]} label={words[direction].use} />
        </Cell>
        <Fields {...part} fields={own} whole />
      </Grid>
    </div>
  )
}

const Folded = ({ title, fields, ...part }: PartProps & { title: string; fields: Field[] }) => {
  const { formState } = useFormContext()
  const suggest = useSuggestions(fields)
  const wrong = fields.some(({ name }) => name in formState.errors)
  return (
    <Section title={title} fold filled={useFilled(fields)} wrong={wrong} summary="Not used" onOpen={suggest}>
      <Grid>
        <Fields {...part} fields={fields} />
      </Grid>
    </Section>
  )
}

/** The credential fields of a vendor, as its description defines them. */
export const Credentials = ({ vendor, saved, values }: PartProps) => {
  const part = { vendor, saved, values }
  const shown = shownFields(vendor, values)
  const general = shown.filter((field) => !field.direction && !field.section)
  const sections = [...new Set(shown.flatMap(({ section }) => section ?? []))]
  const directions = (['synthesis', 'recognition'] as const).filter((direction) => vendor[direction] !== null)
  return (
    <>
      <Section
        title="Use and credentials"
        help={
          <>
            Each direction is tested separately.
            {vendor.page ? (
              <>
                {' '}
                Keys and access:{' '}
                <Link href={vendor.page.url} isExternal>
                  {vendor.page.name}
                </Link>
              </>
            ) : null}
          </>
        }
      >
        <div className={css.parts}>
          {general.length > 0 ? (
            <Grid>
              <Fields {...part} fields={general} />
            </Grid>
          ) : null}
          <Grid>
            {directions.map((direction) => (
              <Cell key={direction}>
                <Use {...part} direction={direction} />
              </Cell>
            ))}
          </Grid>
        </div>
      </Section>
      {sections.map((title) => (
        <Folded
          key={`${vendor.vendor}.${title}`}
          {...part}
          title={title}
          fields={shown.filter(({ section }) => section === title)}
        />
      ))}
    </>
  )
}
