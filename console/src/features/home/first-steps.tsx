import type { Kind } from '@trunkline/contract/policy/policy'
import { messages } from '@trunkline/contract/messages/home'
import { Check, CircleDashed, PhoneCall, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { getNewRecordOwner } from '../../kit/list/list-query'
import { QueryPanel } from '../../kit/record/query-panel'
import { paths } from '../../lib/paths'
import { formatPhoneNumber } from '../../lib/phone-number'
import { useSignallingAddresses } from '../../panels/signalling-addresses'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { useUserSettings } from '../../session/user-settings'
import { Button, ButtonLink } from '../../ui/button'
import { CopyText } from '../../ui/copy'
import { Link } from '../../ui/link'
import { Meter } from '../../ui/meter'
import { Panel } from '../../ui/record/panel'
import { Status } from '../../ui/status'
import { useFirstRecords, type FirstRecords } from './first-records'
import css from './first-steps.module.css'
import type { HomeScope } from './home-queries'

interface Step {
  kind: Kind
  title: string
  /** The first record of the kind: its name and where it opens. Undefined while the step is not done. */
  record: { name: string; href: string } | undefined
  text: string
  addLabel: string
  addHref: string
  /** Another way to do the step. */
  alternative?: { label: string; href: string }
  /** What the user needs for the step. */
  details?: ReactNode
}

const SignallingAddresses = () => {
  const addresses = useSignallingAddresses()
  if (addresses.length === 0) return null
  return (
    <>
      <p>{messages.allowAddresses}</p>
      <ul className={css.addresses}>
        {addresses.map(({ sid, text }) => (
          <li key={sid}>
            <CopyText text={text} alwaysShowCopyButton />
          </li>
        ))}
      </ul>
    </>
  )
}

const createSteps = ({ account, application, carrier, number }: FirstRecords): Step[] => [
  {
    kind: 'account',
    title: 'Add an account',
    record: account && { name: account.name, href: paths.accounts.view(account.account_sid) },
    text: messages.accountStep,
    addLabel: 'Add account',
    addHref: paths.accounts.add,
  },
  {
    kind: 'application',
    title: 'Add an application',
    record: application && { name: application.name, href: paths.applications.edit(application.application_sid) },
    text: messages.applicationStep,
    addLabel: 'Add application',
    addHref: paths.applications.add,
  },
  {
    kind: 'voip_carrier',
    title: 'Add a carrier',
    record: carrier && { name: carrier.name, href: paths.carriers.view(carrier.voip_carrier_sid) },
    text: messages.carrierStep,
    addLabel: 'Add carrier',
    addHref: paths.carriers.add,
    details: <SignallingAddresses />,
  },
  {
    kind: 'phone_number',
    title: 'Add phone numbers',
    record: number && {
      name: formatPhoneNumber(number.number),
      href: paths.phoneNumbers.edit(number.phone_number_sid),
    },
    text: messages.numberStep,
    addLabel: 'Add phone number',
    addHref: paths.phoneNumbers.add,
    alternative: { label: 'Import', href: paths.phoneNumbers.import },
  },
]

const StepRow = ({ step, position, isNext }: { step: Step; position: number; isNext: boolean }) => {
  const { title, record, text, addLabel, addHref, alternative, details } = step
  return (
    <li className={css.step} data-done={record !== undefined || undefined} data-next={isNext || undefined}>
      <span className={css.position} aria-hidden="true">
        {record ? <Check size={14} strokeWidth={2} /> : position}
      </span>
      <div className={css.text}>
        <h3>
          {title} {record ? <span className="visually-hidden">(done)</span> : null}
        </h3>
        <p>{record ? record.name : text}</p>
        {isNext ? details : null}
      </div>
      <div className={css.actions}>
        {record ? (
          <Link href={record.href}>
            Open <span className="visually-hidden">{record.name}</span>
          </Link>
        ) : (
          <>
            {alternative ? <ButtonLink href={alternative.href}>{alternative.label}</ButtonLink> : null}
            <ButtonLink href={addHref} {...(isNext ? { variant: 'primary', icon: Plus } : {})}>
              {addLabel}
            </ButtonLink>
          </>
        )}
      </div>
    </li>
  )
}

/** The steps that the user may do. Ticks come from the records that exist. */
const useSteps = () => {
  const can = useCan()
  const owner = getNewRecordOwner(useActor(), useProviderSid())
  return (records: FirstRecords) => createSteps(records).filter(({ kind }) => can('create', kind, owner))
}

const TestCall = ({ realm }: { realm: string | null | undefined }) => (
  <Panel title="Then make a test call" span={12}>
    <div className={css.testCall}>
      <PhoneCall size={20} strokeWidth={1.75} aria-hidden="true" />
      <p>
        {realm ? messages.registerAt : messages.registerClient} {realm ? <code>{realm}</code> : null}{' '}
        {messages.callNumber}
      </p>
      <Status kind="off" icon={CircleDashed} tint={false}>
        {messages.waitingForCall}
      </Status>
    </div>
  </Panel>
)

/** The steps from a new platform to its first call, which replaces them. */
export const FirstSteps = ({ scope }: { scope: HomeScope }) => {
  const { change } = useUserSettings()
  const query = useFirstRecords(scope)
  const getSteps = useSteps()
  const countDone = (steps: readonly Step[]) => steps.filter(({ record }) => record).length
  const steps = query.data ? getSteps(query.data) : []
  const progress = `${countDone(steps)} of ${steps.length} done`
  return (
    <>
      <QueryPanel
        title="Set up your platform"
        span={12}
        query={query}
        skeleton={{ rows: 4, height: 70 }}
        count={() => progress}
        end={
          <>
            {steps.length > 0 ? (
              <span className={css.progress}>
                <Meter value={countDone(steps)} max={steps.length} label={progress} isProgress />
              </span>
            ) : null}
            <Button size="sm" variant="borderless" onClick={() => change({ hidesFirstSteps: true })}>
              Hide
            </Button>
          </>
        }
      >
        {() => (
          <ol>
            {steps.map((step, index) => (
              <StepRow
                key={step.kind}
                step={step}
                position={index + 1}
                isNext={steps.find(({ record }) => !record) === step}
              />
            ))}
          </ol>
        )}
      </QueryPanel>
      {query.data ? <TestCall realm={query.data.account?.sip_realm} /> : null}
    </>
  )
}
