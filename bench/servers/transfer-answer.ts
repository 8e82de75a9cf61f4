export interface TransferBody {
  recipientId: string;
  tokens: number;
}

/** The answer to a transfer, of the same shape and size as the service's. */
export const transferAnswer = (memberId: string, { recipientId, tokens }: TransferBody) => ({
  message: 'Ok',
  transactionId: 123_456,
  memberId,
  recipientId,
  tokens,
  senderBalance: 999_999_999,
  recipientBalance: 1_000_000_001,
  realmPointId: 'points',
});
