import { queryOptions } from "@tanstack/react-query";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys, sharedKeys } from "@/lib/keys.ts";

export type Channel = Schemas["Channel"];
export type ChannelType = Schemas["ChannelTypeInfo"];
export type Delivery = Schemas["Delivery"];

export const channelsQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).channels,
    queryFn: ({ signal }) => data(api.GET("/api/v1/channels", { signal })),
  });

export const channelTypesQuery = queryOptions({
  queryKey: sharedKeys.channelTypes,
  queryFn: ({ signal }) => data(api.GET("/api/v1/channel-types", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export type DeliveryFilter = { event_id?: string; channel_id?: string; limit?: number };

export const deliveriesQuery = (org: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: keys(org).deliveryList(filter),
    queryFn: ({ signal }) => data(api.GET("/api/v1/deliveries", { params: { query: filter }, signal })),
    // An attempt that waits for its time is not announced on the stream.
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "queued" || status === "sending") ? 5_000 : false,
  });

export const smsNumbersQuery = (org: string) =>
  queryOptions({
    queryKey: [...keys(org).channels, "sms-numbers"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/sms-numbers", { signal })),
  });
