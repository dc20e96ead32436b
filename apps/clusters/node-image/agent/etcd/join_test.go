package etcd

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// A cluster of members in memory.
type fakeCluster struct {
	members []Member
	calls   []string
	refuses error
}

func (f *fakeCluster) Members(context.Context) ([]Member, error) { return slices.Clone(f.members), nil }

func (f *fakeCluster) AddLearner(_ context.Context, url string) ([]Member, error) {
	f.calls = append(f.calls, "add "+url)
	f.members = append(f.members, Member{ID: "9", PeerURLs: []string{url}, IsLearner: true})
	return slices.Clone(f.members), nil
}

func (f *fakeCluster) Promote(_ context.Context, id string) error {
	f.calls = append(f.calls, "promote "+id)
	return f.refuses
}

func (f *fakeCluster) Remove(_ context.Context, id string) error {
	f.calls = append(f.calls, "remove "+id)
	f.members = slices.DeleteFunc(f.members, func(member Member) bool { return member.ID == id })
	return f.refuses
}

func two() *fakeCluster {
	return &fakeCluster{members: []Member{
		{ID: "1", Name: "one", PeerURLs: []string{PeerURL("10.0.0.1")}},
		{ID: "2", Name: "two", PeerURLs: []string{PeerURL("10.0.0.2")}},
	}}
}

func TestJoinsAsALearnerBesideTheOthers(t *testing.T) {
	cluster := two()
	got, err := Join(context.Background(), cluster, "three", "10.0.0.3")
	want := "one=https://10.0.0.1:2380,two=https://10.0.0.2:2380,three=https://10.0.0.3:2380"
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	if !slices.Equal(cluster.calls, []string{"add https://10.0.0.3:2380"}) {
		t.Errorf("called %v", cluster.calls)
	}
}

func TestRemovesWhatItWasBefore(t *testing.T) {
	for name, address := range map[string]string{"two": "10.0.0.7", "anew": "10.0.0.2"} {
		cluster := two()
		if _, err := Join(context.Background(), cluster, name, address); err != nil {
			t.Fatal(err)
		}
		if want := []string{"remove 2", "add " + PeerURL(address)}; !slices.Equal(cluster.calls, want) {
			t.Errorf("called %v", cluster.calls)
		}
	}
}

func TestPromotesItsOwnLearnerAlone(t *testing.T) {
	cluster := two()
	cluster.members = append(cluster.members, Member{ID: "3", PeerURLs: []string{PeerURL("10.0.0.3")}, IsLearner: true})
	if err := PromoteSelf(context.Background(), cluster, "10.0.0.2"); err != nil || cluster.calls != nil {
		t.Errorf("called %v, %v", cluster.calls, err)
	}
	if err := PromoteSelf(context.Background(), cluster, "10.0.0.3"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(cluster.calls, []string{"promote 3"}) {
		t.Errorf("called %v", cluster.calls)
	}
}

func TestSaysWhichMembersAreGone(t *testing.T) {
	cluster := two()
	gone, err := RemoveNamed(context.Background(), cluster, []string{"two", "never", "one"}, "one")
	if err != nil || !slices.Equal(gone, []string{"two", "never"}) {
		t.Errorf("got %v, %v", gone, err)
	}
	cluster = two()
	cluster.refuses = errors.New("no quorum")
	if gone, err = RemoveNamed(context.Background(), cluster, []string{"two"}, "one"); err == nil || gone != nil {
		t.Errorf("got %v, %v", gone, err)
	}
}
