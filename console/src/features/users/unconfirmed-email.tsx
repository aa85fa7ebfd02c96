import { messages } from '@trunkline/contract/messages/user'
import { user } from '@trunkline/contract/resources/user'
import type { UserRecord } from '@trunkline/contract/shapes/user'
import { useState } from 'react'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { toast } from '../../ui/feedback/toast'

/** Shows that an email address is not confirmed yet. Users can request the link for their own address again. */
export const UnconfirmedEmail = ({ record, isOwnUser }: { record: UserRecord; isOwnUser: boolean }) => {
  const [isPending, setIsPending] = useState(false)
  const resendLink = async () => {
    setIsPending(true)
    try {
      // the server sends the link again if an update contains the unconfirmed address
      await request(user.update, {
        params: { user_sid: record.user_sid },
        body: { name: record.name, email: record.email },
      })
      toast.ok(messages.email.sentAgain)
    } catch (error) {
      toast.bad(getErrorMessage(error))
    }
    setIsPending(false)
  }
  return (
    <>
      <p>{isOwnUser ? messages.email.ownUnconfirmed(record.email) : messages.email.unconfirmed}</p>
      {isOwnUser ? (
        <div>
          <Button size="sm" pending={isPending} onClick={() => void resendLink()}>
            Send the link again
          </Button>
        </div>
      ) : null}
    </>
  )
}
