import { useQuery } from '@tanstack/react-query'
import { hasFailed } from '../../kit/record/query-failure'
import { messages } from '@trunkline/contract/messages/home'
import { Fragment } from 'react'
import { Notice } from '../../ui/notice'
import { createFailingCarriersQuery } from '../../panels/calls/failing-carriers-query'
import { formatCounted } from '../../ui/format-count'
import { createFailingSpeechQuery, type HomeScope } from './home-queries'
import css from './verdict.module.css'

/** The anchors of the panels that list what fails. */
export const failureAnchors = { carriers: 'failing-carriers', speech: 'failing-speech' } as const

interface Failure {
  count: number
  noun: string
  anchor: string
}

/** Says how many of each fail, with links to the panels that list them. */
const FailureNotice = ({ failures }: { failures: readonly Failure[] }) => {
  const total = failures.reduce((sum, { count }) => sum + count, 0)
  return (
    <Notice tone="bad" role="status">
      <b className={css.count}>
        {formatCounted(total, 'thing')} {total === 1 ? 'needs' : 'need'} attention:
      </b>{' '}
      {failures.map(({ count, noun, anchor }, index) => (
        <Fragment key={anchor}>
          {index > 0 ? ' and ' : ''}
          <a className={css.link} href={`#${anchor}`}>
            {formatCounted(count, noun)}
          </a>
        </Fragment>
      ))}{' '}
      {total === 1 ? 'is' : 'are'} failing.
    </Notice>
  )
}

export const VerdictSkeleton = () => <div className={css.skeleton} aria-hidden="true" />

interface VerdictProps {
  scope: HomeScope
  /** Nothing has been used yet, so that nothing can fail. */
  isNew: boolean
}

/** One sentence that says whether anything fails. Absent if that is not known. */
export const Verdict = ({ scope, isNew }: VerdictProps) => {
  const carriers = useQuery(createFailingCarriersQuery(scope))
  const speech = useQuery(createFailingSpeechQuery(scope))
  const failures = [
    { count: carriers.data?.length ?? 0, noun: 'carrier', anchor: failureAnchors.carriers },
    { count: speech.data?.total ?? 0, noun: 'speech service', anchor: failureAnchors.speech },
  ].filter(({ count }) => count > 0)
  if (failures.length > 0) return <FailureNotice failures={failures} />
  if ([carriers, speech].some((query) => query.isPending && !hasFailed(query))) return <VerdictSkeleton />
  if (isNew || !carriers.data || !speech.data) return null
  return (
    <Notice tone="ok" role="status">
      {messages.noFailures}
    </Notice>
  )
}
