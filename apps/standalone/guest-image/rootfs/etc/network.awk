# Turns the values of network_data.json (see json.awk) into steps of /etc/network, one a line:
#
#     link MAC MTU        a card, with its MTU or "-"
#     dhcp MAC            it has DHCP
#     address MAC A/N     it has this address
#     route MAC NET/N GW  by it goes what is for NET
#     dns A               a name server
#     unknown TYPE        a network of a type that is not understood
#
# Public source: nova-specs, "metadata-service-network-info".

# "255.255.240.0" is 20, "ffff:ffff::" is 32.
function prefix(mask,   parts, n, i, bits, digit) {
  if (mask ~ /^[0-9]+$/) return mask
  n = split(tolower(mask), parts, mask ~ /:/ ? ":" : "[.]")
  for (i = 1; i <= n; i++) {
    if (mask ~ /:/) { for (; parts[i] != ""; parts[i] = substr(parts[i], 2)) bits += ones(index("0123456789abcdef", substr(parts[i], 1, 1)) - 1, 8) }
    else bits += ones(parts[i], 128)
  }
  return bits + 0
}

function ones(value, high,   count) {
  for (; high >= 1 && value >= high; high = int(high / 2)) { value -= high; count++ }
  return count + 0
}

BEGIN { FS = "\t" }

{
  n = split($1, path, "/") # path[1] is empty
  if (path[2] == "links") {
    if (path[3] + 1 > links) links = path[3] + 1
    link[path[3], path[4]] = $2
  } else if (path[2] == "networks") {
    if (path[3] + 1 > networks) networks = path[3] + 1
    if (n == 4) network[path[3], path[4]] = $2
    else if (path[4] == "routes") {
      if (path[5] + 1 > routes[path[3]]) routes[path[3]] = path[5] + 1
      route[path[3], path[5], path[6]] = $2
    }
  } else if (path[2] == "services" && path[4] == "address") print "dns " $2
}

END {
  for (i = 0; i < links; i++) {
    mac[link[i, "id"]] = tolower(link[i, "ethernet_mac_address"])
    print "link", mac[link[i, "id"]], link[i, "mtu"] ~ /^[0-9]+$/ ? link[i, "mtu"] : "-"
  }
  for (i = 0; i < networks; i++) {
    card = mac[network[i, "link"]]
    type = network[i, "type"]
    if (card == "") continue
    # IPv6 by the router's advertisements is the kernel's own work.
    if (type == "ipv4_dhcp") print "dhcp", card
    else if (type == "ipv4" || type == "ipv6") {
      mask = network[i, "netmask"]
      print "address", card, network[i, "ip_address"] (network[i, "ip_address"] ~ /\// ? "" : "/" prefix(mask))
      for (r = 0; r < routes[i]; r++)
        print "route", card, route[i, r, "network"] "/" prefix(route[i, r, "netmask"]), route[i, r, "gateway"]
    } else if (type != "ipv6_slaac") print "unknown", type
  }
}
