import { useMutation, useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/webhook'
import { webhookTest } from '@trunkline/contract/resources/application'
import type { WebhookTestResult } from '@trunkline/contract/shapes/webhook'
import { webhookTestAgent } from '@trunkline/contract/telephony/webhook-test'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import { FlaskConical } from 'lucide-react'
import { useContext, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { ReadOnlyContext } from '../../fields/field-registry'
import { WebhookField, toWebhookBody, type WebhookFieldProps } from '../../fields/webhook-field'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { Muted } from '../../ui/muted'
import { Status } from '../../ui/status'
import type { ApplicationValues } from './values'
import css from './webhook-test.module.css'

type WebhookName = 'call_hook' | 'call_status_hook' | 'messaging_hook'

/** The platform treats any other status as a failure of the webhook. */
const acceptedStatuses = [200, 202, 204]

interface ResponseProps {
  /** The label of the webhook. */
  label: string
  result: WebhookTestResult
}

const WebhookResponse = ({ label, result: { response, duration_ms, verbs_error } }: ResponseProps) => {
  if (!response) return null
  const { status, content_type, body, truncated } = response
  const isRedirect = status >= 300 && status < 400
  return (
    <>
      <p className={css.summary}>
        <Status kind={acceptedStatuses.includes(status) ? 'ok' : 'bad'}>HTTP {status}</Status>
        <span>{duration_ms} ms</span>
        {content_type ? <span>{content_type}</span> : null}
        {verbs_error === null ? <Status kind="ok">{messages.test.valid}</Status> : null}
      </p>
      {verbs_error ? <FieldMessage>{verbs_error}</FieldMessage> : null}
      {isRedirect ? <Muted>{messages.test.redirect}</Muted> : null}
      {body ? (
        // long bodies scroll, also with the keyboard
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={css.body} tabIndex={0} role="region" aria-label={`Response of the ${label.toLowerCase()}`}>
          {body}
        </pre>
      ) : null}
      <Muted>
        {truncated ? `${messages.test.truncated} ` : null}
        {messages.test.userAgentHint(webhookTestAgent)}
      </Muted>
    </>
  )
}

type WebhookDraft = ReturnType<typeof toWebhookBody>

interface TestOutcome {
  /** The webhook that was tested, as JSON. */
  testedJson: string
  result?: WebhookTestResult
  errorMessage?: string
}

const useWebhookTest = (application_sid: string, name: WebhookName) => {
  const draft = toWebhookBody(useWatch<ApplicationValues, WebhookName>({ name }))
  const [outcome, setOutcome] = useState<TestOutcome>()
  const { mutate, isPending } = useMutation({
    mutationFn: (webhook: WebhookDraft) =>
      request(webhookTest, { params: { application_sid }, body: { hook: name, ...webhook } }),
    onSuccess: (result, webhook) =>
      setOutcome({
        testedJson: JSON.stringify(webhook),
        result,
        ...(result.error ? { errorMessage: result.error } : {}),
      }),
    onError: (error, webhook) =>
      setOutcome({ testedJson: JSON.stringify(webhook), errorMessage: getErrorMessage(error) }),
  })
  return {
    url: draft?.url ?? '',
    // Hidden once the webhook has changed since the test.
    outcome: outcome?.testedJson === JSON.stringify(draft) ? outcome : undefined,
    test: () => mutate(draft),
    isPending,
  }
}

const isWebSocket = (url: string) => /^wss?:/i.test(url)
const isTestable = (url: string) => url !== '' && !isWebSocket(url) && findWebhookUrlError('url', url) === undefined

interface TestableWebhookProps extends WebhookFieldProps {
  name: WebhookName
  /** Absent until the application is saved. */
  application_sid: string | undefined
}

/** A webhook with a button that sends a sample request, if the server supports it and the form is editable. */
export const TestableWebhook = ({ application_sid, ...webhook }: TestableWebhookProps) => {
  const { name, label } = webhook
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const readOnly = useContext(ReadOnlyContext)
  const { url, outcome, test, isPending } = useWebhookTest(application_sid ?? '', name)
  // the element tree is the same in both cases, so that the field keeps the focus
  if (!capabilities?.webhookTest || !application_sid || readOnly)
    return (
      <div>
        <WebhookField {...webhook} />
      </div>
    )
  const button = (
    <Button
      size="sm"
      icon={FlaskConical}
      pending={isPending}
      disabled={!isTestable(url)}
      aria-label={`Test the ${label.toLowerCase()}`}
      onClick={test}
    >
      Test
    </Button>
  )
  return (
    <div>
      <WebhookField {...webhook} end={button} />
      <div className={css.result} role="status">
        {isWebSocket(url) ? <Muted>{messages.test.onlyHttp}</Muted> : null}
        {outcome?.errorMessage ? <FieldMessage>{outcome.errorMessage}</FieldMessage> : null}
        {outcome?.result ? <WebhookResponse label={label} result={outcome.result} /> : null}
      </div>
    </div>
  )
}
